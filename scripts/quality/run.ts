import type { Case } from './cases/cases.ts';
import { treesOf } from './cases/trees.ts';
import { type Outcome, type Way, ways } from './record.ts';
import { scoreOf } from './score.ts';
import { askDirectly } from './ways/direct.ts';
import { askNexus } from './ways/nexus.ts';
import { openProject, type Spent } from './ways/project.ts';

interface Asked {
  readonly model: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What may be spent in all. Looked at before each case and way: one that has begun is not cut off. */
interface Cap {
  readonly costUsd: number;
  readonly tokens: number;
}

interface Bounds {
  readonly cap: Cap;
  /** By default both ways. */
  readonly only?: readonly Way[];
  readonly told: (outcome: Outcome) => void;
}

const NOTHING: Spent = { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, unpriced: 0 };

/** Does each case each way, one after the other. @returns those that the cap left out */
export async function runCases(
  cases: readonly Case[],
  { cap, told, only = ways, ...asked }: Asked & Bounds,
): Promise<readonly string[]> {
  const left: string[] = [];
  let [cost, tokens] = [0, 0];
  for (const given of cases) {
    for (const way of only) {
      if (cost >= cap.costUsd || tokens >= cap.tokens) {
        left.push(`${given.id} (${way})`);
        continue;
      }
      const outcome = await doCase(given, way, asked);
      cost += outcome.spent.costUsd;
      tokens += outcome.spent.inputTokens + outcome.spent.outputTokens;
      told(outcome);
    }
  }
  return left;
}

async function doCase(given: Case, way: Way, { model, env }: Asked): Promise<Outcome> {
  const trees = await treesOf(given);
  const { standing } = trees;
  await using project = await openProject({ trees, model, env });
  const begun = performance.now();
  const about = { case: given.id, kind: given.kind, way };
  try {
    const answer =
      way === 'nexus'
        ? await askNexus(given, project, standing)
        : await askDirectly(given, { project, model, standing });
    const ms = performance.now() - begun;
    const score = await scoreOf(given, answer, standing);
    return { ...about, answer, score, spent: await project.spent(), ms };
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    const spent = await project.spent().catch(() => NOTHING);
    return { ...about, answer: null, failure, score: {}, spent, ms: performance.now() - begun };
  }
}
