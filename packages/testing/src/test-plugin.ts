import { hintFaults, isRecord } from '@nexus/core';
import { toListing } from '@nexus/core/definitions';
import type { AnyPlugin, RunUsage, ToolCallResult } from '@nexus/plugin-sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { provenCall } from './proven-call.ts';
import { type PluginTestOptions, type PluginUnderTest, startPlugin } from './start-plugin.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** What the answer of every tool that is a run holds. */
interface RunAnswer {
  readonly runId?: string;
  readonly usage?: RunUsage;
}

export interface PluginSuite extends PluginTestOptions {
  /**
   * One good call per tool, by name; a tool without one fails the suite. A function makes arguments that
   * only a running plugin can give, such as an id; it runs once, so that a repeated call is the same.
   */
  readonly goodCalls: Readonly<Record<string, Arguments | ((plugin: PluginUnderTest) => Promise<Arguments>)>>;
  /** Brings the plugin to where the good calls work. */
  readonly prepare?: (plugin: PluginUnderTest) => Promise<void>;
}

/** What every plugin must pass: sound definitions, and bodies that keep the word of their hints. */
export function testPlugin(plugin: AnyPlugin, suite: PluginSuite): void {
  describe(`plugin ${plugin.name} keeps the plugin contract`, () => {
    let running: PluginUnderTest;
    /** With nothing in it, and no model: what an example does there, no other test meets. */
    let untried: PluginUnderTest;
    beforeAll(async () => {
      running = await startPlugin(plugin, suite);
      await suite.prepare?.(running);
      untried = await startPlugin(plugin, suite.options === undefined ? {} : { options: suite.options });
    });
    afterAll(() => Promise.all([running.stop(), untried.stop()]));

    it('has its options default to something that starts', () => {
      expect(plugin.options.safeParse(suite.options ?? {}).success).toBe(true);
    });

    describe.each(plugin.tools.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
      let made: Promise<Arguments> | undefined;
      const good = () => {
        const call = suite.goodCalls[name] ?? {};
        made ??= typeof call === 'function' ? call(running) : Promise.resolve(call);
        return made;
      };

      it('states four hints that do not contradict each other', () => {
        expect(hintFaults(tool.annotations)).toEqual([]);
      });

      it('describes every input property', () => {
        const properties = toListing(tool).inputSchema.properties;
        const undescribed = Object.entries(isRecord(properties) ? properties : {})
          .filter(([, schema]) => !isRecord(schema) || typeof schema.description !== 'string')
          .map(([key]) => key);
        expect(undescribed).toEqual([]);
      });

      it('is not refused for its arguments again where it is called with the example of its refusal, filled in', async () => {
        const refused = refusalOf(await untried.call(name, { no_such_argument: 1 }));
        expect(refused).toMatchObject({ code: 'NEXUS_INVALID_ARGUMENTS', detail: { example: {} } });
        const example = refused?.detail?.example as Arguments; // looked at above
        const tried = await untried.call(name, filledIn(example) as Arguments, { isAskable: false });
        expect(refusalOf(tried)?.code, text(tried)).not.toBe('NEXUS_INVALID_ARGUMENTS');
      });

      it('tells a call by an alias where that belongs, in an argument that there is', async () => {
        const properties = Object.keys(Object(toListing(tool).inputSchema.properties));
        for (const [alias, meant] of Object.entries(tool.aliases ?? {})) {
          expect(properties).not.toContain(alias);
          expect(properties).toContain(meant.split('.')[0]);
          const refused = refusalOf(await untried.call(name, { [alias]: 1 }));
          expect(refused?.code).toBe('NEXUS_INVALID_ARGUMENTS');
          expect(text(await untried.call(name, { [alias]: 1 }))).toContain(
            `- ${alias}: no such argument; did you mean ${meant}?`,
          );
        }
      });

      it('answers its good call with structured content, and as text with the same or what a model reads of it', async () => {
        expect(suite.goodCalls, `goodCalls lacks ${name}`).toHaveProperty(name);
        const args = await good();
        const { result, lies } = await provenCall(running, tool, args);
        expect(result.isError, text(result)).toBeFalsy();
        if (tool.text) expect(text(result)).toBe(tool.text(result.structuredContent));
        else if (!tool.answersWholeResult) expect(JSON.parse(text(result))).toEqual(result.structuredContent);
        expect(lies, 'what its hints say').toEqual([]);
      });

      if (tool.annotations.idempotentHint) {
        it('is idempotent: the same call again is no error, and changes nothing more', async () => {
          const args = await good();
          await running.call(name, args);
          const { result, lies } = await provenCall(running, tool, args, { isAgain: true });
          expect(result.isError, text(result)).toBeFalsy();
          expect(lies, 'what its hints say').toEqual([]);
        });
      }

      if (tool.run) {
        it('is a run: found again by its key and by its id, with what it came to, and paid once', async () => {
          const call = { ...(await good()), idempotencyKey: `again-${name}` };
          const first = await running.answer<RunAnswer>(name, call);
          expect(await running.answer(name, call)).toEqual(first);
          if (first.runId === undefined) return; // a good call may only ask, such as for a dry run
          expect(first.usage).toMatchObject({ inputTokens: expect.any(Number) });
          const { runId, usage } = await running.resume<RunAnswer>(first.runId);
          expect({ runId, usage }).toEqual({ runId: first.runId, usage: first.usage });
          const { kind, usage: paid } = await running.host.runs.get(first.runId);
          expect(kind).toBe(tool.run?.name);
          expect(paid).toMatchObject({ ...usage });
        });
      }

      it('names a wrong argument instead of dropping it', async () => {
        const result = await running.call(name, { ...(await good()), no_such_argument: 1 });
        expect(result.isError).toBe(true);
        expect(text(result)).toContain('no_such_argument');
      });
    });
  });
}

/** What a call was refused with. */
function refusalOf({ isError, _meta }: ToolCallResult) {
  return isError
    ? (_meta?.['nexus/error'] as { code: string; detail?: Readonly<Record<string, unknown>> }) // the envelope of each
    : undefined;
}

function text(result: ToolCallResult): string {
  return result.content.map((block) => block.text ?? '').join('\n');
}

/** What an example names in <>, as whoever copied it would give it: as its own example has it, or any text. */
function filledIn(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replace(/^<[^,>]*(?:, such as (.*))?>$/s, (_, such) => such ?? 'text');
  if (Array.isArray(value)) return value.map(filledIn);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filledIn(each)]));
}
