import type { ToolCallResult } from './tool-caller.ts';

type Block = ToolCallResult['content'][number];
type Members = Readonly<Record<string, unknown>>;

/**
 * What a server answered to `tools/call`, in the form that MCP promises, for whoever reads it: servers of the first
 * revision answer `toolResult`, others one text, blocks without their text, or a structure alone. Nothing that was
 * said is lost: what is no block stands as JSON in a text, and of an answer that says nothing a line says so. A sound
 * result is returned as it is.
 */
export function asToolCallResult(answered: unknown): ToolCallResult {
  const given: Members = isObject(answered) ? answered : { content: answered };
  if (isSound(given)) return given as unknown as ToolCallResult; // just looked at
  const { content: said, structuredContent: structure, toolResult, _meta, ...rest } = given;
  const isOld = said === undefined && toolResult !== undefined;
  const content = isOld ? [] : blocksOf(said);
  const meant = isOld ? toolResult : structure;
  const isTold = isObject(meant) && content.length > 0;
  const shown = isTold || meant === undefined ? content : [...content, textBlock(meant)];
  return {
    ...rest,
    content: shown.length > 0 ? shown : [textBlock(saysNothing(answered))],
    ...(isObject(meant) ? { structuredContent: meant } : {}),
    ...(isObject(_meta) ? { _meta } : {}),
  };
}

function saysNothing(answered: unknown): string {
  return `[Nexus: the server answered nothing that MCP knows as content: ${JSON.stringify(answered)}]`;
}

function isSound({ content, structuredContent: structure, _meta }: Members): boolean {
  if (!Array.isArray(content) || !content.every(isBlock)) return false;
  if (_meta !== undefined && !isObject(_meta)) return false;
  return structure === undefined || (isObject(structure) && content.length > 0);
}

function blocksOf(said: unknown): Block[] {
  if (said === undefined || said === null) return [];
  return (Array.isArray(said) ? said : [said]).flatMap((each) => {
    if (isBlock(each)) return [each];
    return isObject(each) && each.type === 'text' && (each.text ?? null) === null ? [] : [textBlock(each)];
  });
}

/** Whether it has what its kind can't be without; of kinds that nobody knows, its name. */
function isBlock(block: unknown): block is Block {
  if (!isObject(block)) return false;
  const { type, text, data, mimeType, resource, uri } = block;
  switch (type) {
    case 'text':
      return typeof text === 'string';
    case 'image':
    case 'audio':
      return typeof data === 'string' && typeof mimeType === 'string';
    case 'resource':
      return isObject(resource) && (typeof resource.text === 'string' || typeof resource.blob === 'string');
    case 'resource_link':
      return typeof uri === 'string';
    default:
      return typeof type === 'string' && (text === undefined || typeof text === 'string');
  }
}

function textBlock(said: unknown): Block {
  return { type: 'text', text: typeof said === 'string' ? said : JSON.stringify(said) };
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
