import type { Audit, Log, SecretUsed } from '@nexus/plugin-sdk';
import { urlSecrets } from '@nexus/untrusted/secrets';
import type { LoadedConfig } from '../loaded-config/load-config.ts';

/** Puts on record which secret this process hands to whom, each once: its name, never what it is. */
export function secretUses(audit: Pick<Audit, 'record'>, log: Log): SecretUsed {
  const told = new Set<string>();
  return ({ name, by }) => {
    const use = `${name} ${by}`;
    if (told.has(use)) return;
    told.add(use);
    audit.record({ kind: 'secret.used', data: { name, by } }).catch((error: unknown) => {
      told.delete(use);
      log.error('the use of a secret could not be put on the audit trail', { name, by, err: error });
    });
  };
}

/** The names of those that a process uses from its start on, before anything is on record. */
export function secretsFromStart({
  databaseUrl = '',
  config,
}: Pick<LoadedConfig, 'databaseUrl' | 'config'>): string[] {
  const { otlp } = config.traces;
  return [
    ...(urlSecrets(databaseUrl).some(Boolean) ? ['database.url'] : []),
    ...Object.keys(otlp.headers ?? {}).map((header) => `traces.otlp.headers.${header}`),
    ...config.audit.anchors.flatMap((anchor, index) =>
      'token' in anchor && anchor.token !== undefined ? [`audit.anchors.${index}.token`] : [],
    ),
  ];
}
