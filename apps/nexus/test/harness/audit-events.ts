import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Project } from './project.ts';

export interface AuditedEvent {
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What of a kind is on the audit trail of a project, as its files have it. */
export async function auditEvents(
  { dataDir }: Pick<Project, 'dataDir'>,
  kind: string,
): Promise<AuditedEvent['data'][]> {
  const folder = join(dataDir, 'audit', 'writers');
  const files = (await readdir(folder)).map((writer) => join(folder, writer, '000001.jsonl'));
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const lines = texts.flatMap((text) => text.split('\n').slice(0, -1));
  const events = lines.map((line): AuditedEvent => JSON.parse(line));
  return events.filter((event) => event.kind === kind).map(({ data }) => data);
}
