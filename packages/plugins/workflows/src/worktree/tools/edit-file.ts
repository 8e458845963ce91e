import { ToolError } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { readText } from './read-file.ts';
import { path, type TreeTool, type TreeWork, treeTool } from './tree-tool.ts';
import { MAX_TEXT_CHARS, putText } from './write-file.ts';

export function editTreeFile(work: TreeWork): TreeTool {
  return treeTool(
    {
      name: 'edit_file',
      description:
        'Replaces one part of a text file. What is to be replaced must stand there exactly once; take in lines around it until it does.',
      input: z.object({
        path,
        old: z
          .string()
          .min(1)
          .max(MAX_TEXT_CHARS)
          .describe('As it stands in the file, without line numbers.'),
        new: z.string().max(MAX_TEXT_CHARS).describe('What comes in its place.'),
      }),
      isReadOnly: false,
      isRepeatable: true,
      async run({ path: typed, old, new: replacement }, place) {
        const edited = editText(await readText(place.top, typed), old, replacement);
        if ('fault' in edited) throw new ToolError('NEXUS_INVALID_ARGUMENTS', `${typed}: ${edited.fault}`);
        if (edited.isThere) return `${typed} has the new text already; nothing was changed.`;
        await putText(place, typed, edited.text);
        return `${typed} is edited.`;
      },
    },
    work,
  );
}

/**
 * The text with one part replaced. One that has the new part where the old would be is left as it is, so that an
 * edit whose outcome nobody knows can be made again.
 */
export function editText(
  text: string,
  old: string,
  replacement: string,
): { readonly text: string; readonly isThere: boolean } | { readonly fault: string } {
  const done = replacement === '' ? [] : placesOf(text, replacement);
  const inDone = (at: number) =>
    done.some((start) => at >= start && at + old.length <= start + replacement.length);
  const open = placesOf(text, old).filter((at) => !inDone(at));
  if (open.length === 0 && done.length > 0) return { text, isThere: true };
  const [at] = open;
  if (at === undefined) return { fault: 'the old text does not stand there. Read the file again.' };
  if (open.length > 1)
    return { fault: `the old text stands there ${open.length} times. Take in lines around it.` };
  return { text: text.slice(0, at) + replacement + text.slice(at + old.length), isThere: false };
}

function placesOf(text: string, part: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) places.push(at);
  return places;
}
