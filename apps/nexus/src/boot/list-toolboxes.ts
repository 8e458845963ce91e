import { enabledServers } from '../config/enabled-servers.ts';
import type { Config } from '../config/schema.ts';

/**
 * How long a description may be, tried one after another until the list fits; 0 leaves only names, since
 * three words of each tell less than they cost.
 */
const DESCRIPTION_CHARS = [400, 200, 120, 80, 60, 45, 0];

type Toolboxes = Config['toolboxes'];

/**
 * A line for each toolbox, descriptions cut as far as the list needs it, or names alone where there are many.
 * A number is that of its servers where it has not just one.
 */
export function listToolboxes(toolboxes: Toolboxes, maxChars: number): string {
  const entries = Object.entries(toolboxes);
  for (const each of DESCRIPTION_CHARS) {
    const lines = linesWithin(entries, each, maxChars);
    if (lines) return lines.join('\n');
  }
  return namesOf(toolboxes, maxChars);
}

/** Undefined where they are longer together; of thousands only as many are made as that takes to be seen. */
function linesWithin(
  entries: readonly [string, Toolboxes[string]][],
  descriptionChars: number,
  maxChars: number,
): string[] | undefined {
  let left = maxChars + 1;
  const lines: string[] = [];
  for (const entry of entries) {
    const made = line(entry, descriptionChars);
    left -= made.length + 1;
    if (left < 0) return undefined;
    lines.push(made);
  }
  return lines;
}

function line([name, toolbox]: [string, Toolboxes[string]], maxChars: number): string {
  const servers = enabledServers(toolbox).length;
  const facts = [...(servers === 1 ? [] : [String(servers)]), ...(toolbox.autoOpen ? ['open'] : [])];
  const description = cut(toolbox.description, maxChars);
  return `- ${name}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}${description === '' ? '' : `: ${description}`}`;
}

/** The beginning of a text, up to the end of a word. */
function cut(text: string, maxChars: number): string {
  const oneLine = text.replace(/\s+/g, ' ').trim();
  if (oneLine.length <= maxChars) return oneLine;
  if (maxChars === 0) return '';
  const words = oneLine.slice(0, maxChars).replace(/\s\S*$/, '');
  return `${words.replace(/(?<![\s,.;:(–-])[\s,.;:(–-]+$/, '')}…`;
}

function namesOf(toolboxes: Toolboxes, maxChars: number): string {
  const names = Object.keys(toolboxes);
  let shown = 0;
  for (let chars = 0; shown < names.length; shown += 1) {
    chars += (names[shown]?.length ?? 0) + 2;
    if (chars > maxChars) break;
  }
  const hidden = names.length - shown;
  const rest = hidden > 0 ? `, and ${hidden} more that list_toolboxes names` : '';
  return `${names.slice(0, shown).join(', ')}${rest}`;
}
