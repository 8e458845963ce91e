import { roundedNumbers } from '@nexus/primitives';

/** Knows by the texts of answers, which the SDK's transport parses, where their numbers are not kept. */
export interface RoundedAnswers {
  /** Takes a whole body, or an event of a stream, each byte a character. */
  read(text: string): void;
  /** The paths in the message of this id, once. */
  of(id: unknown): readonly string[];
}

/** More answers are not read and unheard at a time. */
const MAX_ANSWERS = 100;

export function roundedAnswers(): RoundedAnswers {
  const found = new Map<unknown, readonly string[]>();
  return {
    read(text) {
      if (roundedNumbers(text).length === 0) return;
      const json = jsonOf(Buffer.from(text, 'latin1').toString('utf8'));
      const id = idOf(json);
      if (id === undefined || found.size >= MAX_ANSWERS) return;
      found.set(id, roundedNumbers(json));
    },
    of(id) {
      const paths = found.get(id) ?? [];
      found.delete(id);
      return paths;
    },
  };
}

/** Of an event its data, by as many lines as there are. */
function jsonOf(text: string): string {
  if (text.trimStart().startsWith('{')) return text;
  return [...text.matchAll(/^data: ?(.*)$/gm)].map(([, data]) => data).join('\n');
}

function idOf(json: string): unknown {
  try {
    return Object(JSON.parse(json)).id;
  } catch {
    return undefined;
  }
}
