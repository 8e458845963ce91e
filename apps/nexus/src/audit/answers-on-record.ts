import type { EngineOptions } from '@nexus/engine';
import type { Audit, Log } from '@nexus/plugin-sdk';

/** Puts each answer of a person to a run on the audit trail, by what it was for: its words are not of the record. */
export function answersOnRecord(
  audit: Pick<Audit, 'record'>,
  log: Log,
): NonNullable<EngineOptions['onAnswered']> {
  return ({ runId, name, digest, answer }) => {
    const data = {
      run: runId,
      question: name,
      action: answer?.action ?? 'unknown',
      ...(digest === undefined ? {} : { subject: digest }),
    };
    audit
      .record({ kind: 'approval.answered', data, texts: { answer: answer?.content ?? null } })
      .catch((error: unknown) => log.error('an answer could not be put on the audit trail', { err: error }));
  };
}
