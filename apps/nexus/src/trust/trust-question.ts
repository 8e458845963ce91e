import { HOW_TO_ALLOW } from './describe-waiting.ts';
import type { Part } from './part.ts';
import { shownParts } from './shown-parts.ts';
import { trustedBefore } from './trust-record.ts';

/** What a person can be expected to read in a dialogue; what is longer is for `nexus trust`. */
const MAX_CHARS = 4_000;
/** What a person chooses; the first is what a host has preselected. */
export const CHOICES = {
  later: 'not now',
  yes: 'trust these parts',
  never: 'no, and do not ask again',
} as const;

/** A host's dialogue about what waits, and the parts that a yes there is for: those that it shows, whole. */
export function trustQuestion(projectRoot: string, waiting: readonly Part[]) {
  const { parts, lines } = asShown(waiting);
  return { parts, ...question(projectRoot, lines) };
}

/** As many of the parts as a person will read; nobody says yes to what was not shown. */
function asShown(waiting: readonly Part[]) {
  const before = trustedBefore(waiting);
  const parts: Part[] = [];
  const lines: string[] = [];
  for (const part of waiting) {
    const more = shownParts([part], before);
    if ([...lines, ...more].join('\n').length > MAX_CHARS) continue;
    parts.push(part);
    lines.push(...more);
  }
  if (parts.length < waiting.length)
    lines.push(`${waiting.length - parts.length} more are too long for here: ${HOW_TO_ALLOW}.`);
  return { parts, lines };
}

function question(projectRoot: string, lines: readonly string[]) {
  return {
    message: `Nexus: not trusted yet in this project (${projectRoot}):\n\n${lines.join('\n')}\n\nDo you trust these parts? They wait until you do.`,
    requestedSchema: {
      type: 'object',
      properties: {
        trust: {
          type: 'string',
          title: 'Your word',
          description: 'A yes holds until one of the parts changes.',
          enum: Object.values(CHOICES),
        },
      },
      required: ['trust'],
    },
  };
}
