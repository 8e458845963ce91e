import type { ContentBlock, ModelEntry } from '@nexus/plugin-sdk';

export interface ReadableFile {
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

/** A block that goes to this model as a file; undefined for text, and for what the model does not read. */
export function readable(block: ContentBlock, entry: ModelEntry): ReadableFile | undefined {
  const file = fileOf(block);
  return file && entry.reads.some((kind) => isOfKind(file.mimeType, kind)) ? file : undefined;
}

/** A block as text: its own, or one line that says what is left out and why. */
export function textFor(block: ContentBlock, entry: ModelEntry): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource_link':
      return `[link to ${block.title ?? block.name}: ${block.uri}]`;
    case 'resource':
      if ('text' in block.resource) return `${block.resource.uri}:\n${block.resource.text}`;
      return leftOut(block.resource.uri, block.resource.blob, block.resource.mimeType, entry);
    case 'image':
    case 'audio':
      return leftOut(block.type, block.data, block.mimeType, entry);
  }
}

function leftOut(what: string, data: string, mimeType: string | undefined, entry: ModelEntry): string {
  const kilobytes = Math.ceil((data.length * 3) / 4 / 1000);
  return `[${what}, ${mimeType ?? 'of unknown type'}, ${kilobytes} kB: left out, since ${entry.id} does not read it]`;
}

function fileOf(block: ContentBlock): ReadableFile | undefined {
  if (block.type === 'image' || block.type === 'audio') return { data: block.data, mimeType: block.mimeType };
  if (block.type !== 'resource' || !('blob' in block.resource)) return undefined;
  const { blob, mimeType } = block.resource;
  return mimeType === undefined ? undefined : { data: blob, mimeType };
}

function isOfKind(mimeType: string, kind: ModelEntry['reads'][number]): boolean {
  return kind === 'pdf' ? mimeType === 'application/pdf' : mimeType.startsWith(`${kind}/`);
}
