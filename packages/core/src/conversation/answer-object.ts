import type {
  GeneratedObject,
  GenerateRequest,
  ModelCaller,
  ModelMessage,
  ObjectRequest,
} from '@nexus/plugin-sdk';
import { ToolError } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { Generate } from './converse.ts';
import { cutText } from './cut-text.ts';
import { toMessages } from './history-faults.ts';
import { readJson } from './read-json.ts';
import { addUsage } from './usage.ts';

/** As `generate`, told that the answer must be JSON of this schema. */
export type GenerateJson = (
  request: GenerateRequest & { readonly outputSchema: Readonly<Record<string, unknown>> },
  caller: ModelCaller,
) => ReturnType<Generate>;

/**
 * An answer that fits a schema. One that does not is given back once, with what is wrong.
 * @throws {ToolError} NEXUS_MODEL_OUTPUT when the second does not fit either
 */
export async function answerObject<Schema extends z.ZodType>(
  { schema, ...request }: ObjectRequest<Schema>,
  generate: GenerateJson,
  caller: ModelCaller,
): Promise<GeneratedObject<z.output<Schema>>> {
  const outputSchema = z.toJSONSchema(schema, { io: 'input' });
  const first = await generate({ ...request, outputSchema }, caller);
  const read = readAnswer(schema, first.text);
  if (read.isGood) return { value: read.value, model: first.model, usage: first.usage, wasRepaired: false };
  const { model } = first;
  const prompt = [...toMessages(request.prompt), first.message, repairOf(read.fault)];
  const again = keyed({ ...request, prompt, model, outputSchema });
  const second = await generate(again, caller);
  const usage = addUsage(first.usage, second.usage);
  const repaired = readAnswer(schema, second.text);
  if (repaired.isGood) return { value: repaired.value, model, usage, wasRepaired: true };
  throw new ToolError(
    'NEXUS_MODEL_OUTPUT',
    `${model} did not answer in the form asked for, not even when told what was wrong: ${repaired.fault}. Ask another model, or ask for less at once.`,
    { detail: { model, answer: cutText(second.text, 2000) } },
  );
}

type Read<Value> = { isGood: true; value: Value } | { isGood: false; fault: string };

function readAnswer<Schema extends z.ZodType>(schema: Schema, text: string): Read<z.output<Schema>> {
  const json = readJson(text);
  if (json === undefined) return { isGood: false, fault: 'the answer holds no JSON' };
  const parsed = schema.safeParse(json.value);
  if (parsed.success) return { isGood: true, value: parsed.data };
  return { isGood: false, fault: cutText(z.prettifyError(parsed.error), 2000) };
}

function repairOf(fault: string): ModelMessage {
  const text = `That does not have the form asked for:\n${fault}\n\nAnswer again with the whole JSON value and nothing else.`;
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** The repair is another call than the first, and has a key of its own. */
function keyed<Request extends { readonly idempotencyKey?: string }>(request: Request): Request {
  if (request.idempotencyKey === undefined) return request;
  return { ...request, idempotencyKey: `${request.idempotencyKey}-repair` };
}
