import { describeField, readForm, shortDigest } from '@nexus/core/forms';
import type { AskedQuestion } from '@nexus/plugin-sdk';
import { questionText, visibleLine, visibleWord } from '@nexus/untrusted/shown';
import { shownId } from './short-id.ts';

/** A run's question as lines: what is asked, what exactly a yes is for, what an answer holds, and how it is given. */
export function questionLines(question: AskedQuestion): string[] {
  const fields = readForm(question.requestedSchema).map((field) =>
    visibleLine(
      `  ${field.name}: ${describeField(field)}${field.description ? `. ${field.description}` : ''}`,
    ),
  );
  const { refused } = question;
  const letGo =
    refused === undefined ? [] : [visibleLine(`  The answer that was kept ahead is let go. ${refused}`)];
  return [...questionText(question).split('\n'), ...letGo, ...fields, `  ${answerCommand(question)}`];
}

/** The command that answers it, with a place for each field. */
export function answerCommand({
  runId,
  name,
  requestedSchema,
  digest,
}: Pick<AskedQuestion, 'runId' | 'name' | 'requestedSchema' | 'digest'>): string {
  const fields = readForm(requestedSchema).map((field) => `${visibleWord(field.name)}=…`);
  const bound = digest === undefined ? '' : ` --digest ${shortDigest(digest)}`;
  return `nexus runs answer ${shownId(runId)} ${fields.join(' ') || 'yes'} --question ${visibleWord(name)}${bound}`;
}
