import type { AskedQuestion } from '@nexus/plugin-sdk';
import { visibleText } from '@nexus/primitives';

/** All that a person is to know before answering a run's question: what is asked, and what exactly a yes is for. */
export function questionText({
  message,
  subject,
  digest,
  expiresAt,
}: Pick<AskedQuestion, 'message' | 'subject' | 'digest' | 'expiresAt'>): string {
  const until = expiresAt === undefined ? '' : `\n\nIt is open until ${expiresAt}.`;
  const asked = `${visibleText(message)}${until}`;
  if (digest === undefined) return asked;
  const exactly = visibleText(JSON.stringify(subject, null, 2) ?? 'null');
  return `${asked}\n\nA yes is for exactly this, whose digest is ${digest}:\n${exactly}`;
}
