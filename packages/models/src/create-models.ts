import { answerObject, askedBy, converse, toMessages } from '@nexus/conversation';
import type { Log, ModelCaller, Models, RouteRequest, Routing, Spans, Store } from '@nexus/plugin-sdk';
import { type CallModel, callModel, type FullRequest } from './calls/call-model.ts';
import { estimateTokens } from './calls/estimate-tokens.ts';
import { createLimits } from './calls/limits.ts';
import { describeModel } from './catalogue/describe-model.ts';
import { available, type Choice, chooseNamed, firstFound, noModel } from './choose-model.ts';
import type { CliSurroundings } from './cli/cli-source.ts';
import { findSources } from './find-sources.ts';
import { lookUp } from './look-up.ts';
import { createOutcomes } from './outcomes/outcomes.ts';
import { scoreModels } from './routing/score-models.ts';
import type { ModelsSettings } from './settings.ts';
import type { ModelSource } from './source.ts';

export interface ModelsOptions extends CliSurroundings {
  readonly settings: ModelsSettings;
  readonly store: Store;
  readonly log: Log;
  /** Where calls tell how they went; by default nowhere. */
  readonly spans?: Spans | undefined;
  /** Hears of each call on record. */
  readonly recorded: () => void;
}

/** What a task is taken to be answered with. */
const USUAL_OUTPUT_TOKENS = 2_000;

/** Models, and the end of what they leave to be written. */
export interface CreatedModels extends Models {
  /** All that is recorded of calls is on disk. */
  flush(): Promise<void>;
}

/** Puts the models together: what was found, chosen by name, order or score, called by one way. */
export function createModels({
  settings,
  store,
  log,
  spans,
  recorded,
  ...around
}: ModelsOptions): CreatedModels {
  const sources = findSources(settings, around);
  const outcomes = createOutcomes({ store, log, recorded });
  const describe = ({ name: provider, models }: ModelSource, name: string) =>
    describeModel({ provider, name, tools: models[0]?.tools ?? 'native' }, settings.overrides);
  const calls: CallModel = {
    limits: createLimits(),
    outcomes,
    maxAttempts: settings.maxAttempts,
    log,
    spans,
    find(id, caller) {
      try {
        return chooseNamed(id, sources, { caller, describe });
      } catch {
        return undefined;
      }
    },
  };

  async function route(request: RouteRequest, caller: Partial<ModelCaller> = {}): Promise<Routing> {
    const task = {
      category: request.category ?? ('general' as const),
      inputTokens: request.inputTokens ?? estimateTokens({ messages: toMessages(request.task ?? '') }),
      outputTokens: request.outputTokens ?? USUAL_OUTPUT_TOKENS,
      needsTools: request.needsTools ?? false,
      maxCostUsd: request.maxCostUsd,
    };
    const entries = available(sources, caller).map(({ entry }) => entry);
    const { scored, excluded } = scoreModels(entries, await outcomes.read({}), task);
    const [best, ...alternatives] = scored;
    if (!best) throw noModel(sources, caller, excluded);
    return { best, alternatives, excluded, inputTokens: task.inputTokens, outputTokens: task.outputTokens };
  }

  async function choose(request: FullRequest, caller: ModelCaller): Promise<Choice> {
    const wanted = request.model ?? settings.default;
    if (wanted === undefined) return firstFound(sources, caller);
    if (wanted !== 'auto') return chooseNamed(wanted, sources, { caller, describe });
    const { best } = await route(
      {
        inputTokens: estimateTokens({ ...request, messages: toMessages(request.prompt) }),
        needsTools: (request.tools?.length ?? 0) > 0,
        ...(request.category === undefined ? {} : { category: request.category }),
        ...(request.maxOutputTokens === undefined ? {} : { outputTokens: request.maxOutputTokens }),
      },
      caller,
    );
    return chooseNamed(best.model, sources, { caller, describe });
  }

  const generate = async (request: FullRequest, caller: ModelCaller) =>
    callModel(await choose(request, caller), askedBy(request, caller), caller, calls);

  return {
    generate,
    object: (request, caller) => answerObject(request, generate, caller),
    converse: (request, caller) => converse(request, generate, caller),
    route,
    lookUp: (model, caller) => lookUp(model, { sources, overrides: settings.overrides, caller }),
    outcomes: (query = {}) => outcomes.read(query),
    judge: outcomes.judge,
    flush: outcomes.flush,
    list: async (caller = {}) =>
      sources.map((source) => {
        const { name, kind, models } = source;
        return { name, kind, models, ...source.find(caller) };
      }),
  };
}
