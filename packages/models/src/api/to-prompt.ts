import type { LanguageModelV3Message, LanguageModelV3TextPart } from '@ai-sdk/provider';
import type { ContentBlock, ModelBlock, ModelEntry, ModelMessage, ToolResult } from '@nexus/plugin-sdk';
import { readable, textFor } from '../content/for-model.ts';
import type { WireNames } from './wire-names.ts';

interface Target {
  readonly entry: ModelEntry;
  /** Whether images and files may stand in a tool's result; else they follow in a message of the user. */
  readonly takesFilesInResults: boolean;
  readonly names: WireNames;
}

type Content<Role extends LanguageModelV3Message['role']> = Extract<
  LanguageModelV3Message,
  { role: Role; content: readonly unknown[] }
>['content'][number];
type UserPart = Content<'user'>;
type AssistantPart = Content<'assistant'>;
type ToolPart = Extract<Content<'tool'>, { type: 'tool-result' }>;
type Marks = NonNullable<LanguageModelV3TextPart['providerOptions']>;
type Output = ToolPart['output'];

/** The history as a provider's library takes it; what the model can't read is described in a line. */
export function toPrompt(messages: readonly ModelMessage[], target: Target): LanguageModelV3Message[] {
  const toolNames = new Map<string, string>();
  return messages.flatMap(({ role, content }): LanguageModelV3Message[] => {
    if (role === 'assistant')
      return [{ role, content: content.flatMap((block) => assistantPart(block, target, toolNames)) }];
    const results = content.filter((block) => block.type === 'tool_result');
    const parts = content
      .filter((block) => block.type !== 'tool_result')
      .flatMap((block) => userPart(block, target.entry));
    const files = target.takesFilesInResults
      ? []
      : results.flatMap((result) => filesOf(result, target.entry));
    const rest = [...files, ...parts];
    return [
      ...(results.length > 0
        ? [{ role: 'tool' as const, content: results.map((result) => toolPart(result, target, toolNames)) }]
        : []),
      ...(rest.length > 0 ? [{ role, content: rest.filter((part) => !isEmpty(part)) }] : []),
    ];
  });
}

/** No provider takes one. */
function isEmpty(part: UserPart): boolean {
  return part.type === 'text' && part.text === '';
}

function assistantPart(
  block: ModelBlock,
  { entry, names }: Target,
  toolNames: Map<string, string>,
): AssistantPart[] {
  const marks = '_meta' in block && block._meta ? { providerOptions: block._meta as Marks } : {};
  if (block.type === 'tool_use') {
    const toolName = names.toWire(block.name);
    toolNames.set(block.id, toolName);
    return [{ type: 'tool-call', toolCallId: block.id, toolName, input: block.input, ...marks }];
  }
  // Thoughts are for the model that had them: without its marks they mean nothing to a provider.
  if (block.type === 'reasoning')
    return block._meta ? [{ type: 'reasoning', text: block.text, ...marks }] : [];
  if (block.type === 'tool_result') return [];
  const text = textFor(block, entry);
  return text === '' ? [] : [{ type: 'text', text, ...marks }];
}

function userPart(block: ModelBlock, entry: ModelEntry): UserPart[] {
  if (block.type === 'tool_use' || block.type === 'tool_result' || block.type === 'reasoning') return [];
  const file = readable(block, entry);
  if (file) return [{ type: 'file', data: file.data, mediaType: file.mimeType }];
  return [{ type: 'text', text: textFor(block, entry) }];
}

function toolPart(
  result: ToolResult,
  { entry, takesFilesInResults }: Target,
  toolNames: ReadonlyMap<string, string>,
): ToolPart {
  return {
    type: 'tool-result',
    toolCallId: result.toolUseId,
    toolName: toolNames.get(result.toolUseId) ?? 'unknown',
    output: outputOf(result, entry, takesFilesInResults),
  };
}

function outputOf({ content, isError }: ToolResult, entry: ModelEntry, takesFiles: boolean): Output {
  const hasFiles = content.some((block) => readable(block, entry));
  if (hasFiles && takesFiles && !isError) {
    return { type: 'content', value: content.map((block) => resultPart(block, entry)) };
  }
  const value = content
    .map((block) =>
      readable(block, entry) ? `[${block.type}: see the message after this]` : textFor(block, entry),
    )
    .join('\n\n');
  return { type: isError ? 'error-text' : 'text', value };
}

function resultPart(block: ContentBlock, entry: ModelEntry) {
  const file = readable(block, entry);
  if (!file) return { type: 'text' as const, text: textFor(block, entry) };
  const { data, mimeType: mediaType } = file;
  return {
    type: mediaType.startsWith('image/') ? ('image-data' as const) : ('file-data' as const),
    data,
    mediaType,
  };
}

function filesOf({ content }: ToolResult, entry: ModelEntry): UserPart[] {
  return content.filter((block) => readable(block, entry)).flatMap((block) => userPart(block, entry));
}
