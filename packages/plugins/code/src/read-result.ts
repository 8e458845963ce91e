import { type CallContext, defineTool, maxLineChars, ToolError, textRoom } from '@nexus/plugin-sdk';
import { KEPT_RESULTS, partOf, partOfResult, partThatFits, writtenWholeOf } from '@nexus/primitives';
import { z } from 'zod';

export const readResult = defineTool({
  name: 'read_result',
  title: 'Read a kept result',
  description:
    'Read what a cut answer names by a nexus:// URI, or any nexus:// resource, in parts. Cut results are kept for a day.',
  input: z.object({
    uri: z
      .string()
      .min(1)
      .max(500)
      .describe('nexus://results/<id> and such.')
      .meta({ examples: ['nexus://results/00000000-0000-4000-8000-000000000000'] }),
    pick: z.array(z.string().max(500)).max(20).default([]).describe('As use_tool’s.'),
    offset: z.int().min(0).max(1e9).optional().describe('Items or lines to skip.'),
    limit: z.int().min(1).max(1e6).optional().describe('Most items, or lines.'),
    as: z.enum(['value', 'text']).default('value').describe('text: as it is written, JSON too.'),
  }),
  output: z.object({ content: z.array(z.object({ type: z.literal('text'), text: z.string() })) }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  // Of any tool, and of other servers; what is kept says nothing of that.
  label: { trust: 'untrusted' },
  budget: 'interactive',
  answersWholeResult: true,
  async call({ uri, pick: paths, offset, limit, as }, context: CallContext) {
    const found =
      (await context.host.results.read(uri, context)) ??
      (uri.includes(':') ? undefined : await context.host.results.read(KEPT_RESULTS + uri, context));
    if (!found) {
      const text = `There is no ${uri.includes(':') ? uri : KEPT_RESULTS + uri}, or no more: cut results are kept for a day, for whoever called. Make the call again.`;
      throw new ToolError('NEXUS_NOT_FOUND', text);
    }
    const isText = as === 'text';
    const whole = isText ? found.text : writtenWholeOf({ content: [{ type: 'text', text: found.text }] });
    const part = await partThatFits({
      wanted: { paths, offset, limit, maxLineChars: maxLineChars(context.host.results) },
      take: (wanted) => (isText ? partOf(whole, wanted) : partOfResult(whole, wanted)),
      room: textRoom(context.host.results),
      whereWhole: async () => uri,
      whose: found.whose,
    });
    if ('fault' in part) throw new ToolError('NEXUS_INVALID_ARGUMENTS', part.fault);
    const { text, before } = part;
    return { content: [...before, text].map((said) => ({ type: 'text' as const, text: said })) };
  },
});
