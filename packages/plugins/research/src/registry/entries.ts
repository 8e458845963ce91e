import { z } from 'zod';
import { type WorkId, workId } from '../identity/ids.ts';
import { standings, workKinds } from '../identity/record.ts';

const Id = z
  .string()
  .max(300)
  .transform((text, context): WorkId => {
    const id = workId(text);
    if (id !== undefined) return id;
    context.addIssue({
      code: 'custom',
      message: 'is no id of a work, such as doi:10.1000/182 or arxiv:2101.00001',
    });
    return z.NEVER;
  });
const Text = z.string().max(20_000);
const Short = z.string().min(1).max(500);
/** A file's values are read as text: 2101.10000 is an id, not a number. */
const Count = z.coerce.number().int().min(0);
/** As people write days in YAML, and programs times. */
const When = z
  .string()
  .regex(/^\d{4}(-\d{2}(-\d{2}(T[\d:.]+Z)?)?)?$/, 'must be a date such as 2026-05, or a time in UTC');

export const priorities = ['P1', 'P2', 'P3', 'P4'] as const;

/** What is kept of a source: where, when, by which content, at which place, and the text word for word. */
export const Evidence = z.looseObject({
  kind: z.enum(['abstract', 'quote', 'mention']),
  url: z.string().max(2_000),
  fetchedAt: When,
  /** Of the text that was read, in which `start` and `end` count. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits'),
  start: Count,
  end: Count,
  text: Text,
});
export type Evidence = z.output<typeof Evidence>;

const Retraction = z.looseObject({ status: z.enum(standings), source: Short, asOf: When });

export const Paper = z.looseObject({
  id: Id,
  ids: z.array(Id).max(100).default([]),
  title: Short,
  authors: z.array(z.string().max(300)).max(5_000).default([]),
  date: When.optional(),
  topic: Short.optional(),
  priority: z.enum(priorities).optional(),
  url: z.string().max(2_000).optional(),
  venue: z.string().max(1_000).optional(),
  versions: z
    .array(
      z.looseObject({ id: Id, kind: z.enum(workKinds), number: Count.optional(), date: When.optional() }),
    )
    .max(100)
    .default([]),
  /** Absent where no source that tells such things was asked. */
  retraction: Retraction.optional(),
  addedAt: When.optional(),
  evidence: z.array(Evidence).max(200).default([]),
});
export type Paper = z.output<typeof Paper>;

export const sourceTypes = [
  'paper',
  'preprint',
  'standard',
  'documentation',
  'repository',
  'dataset',
  'report',
  'blog',
  'news',
  'forum',
  'other',
] as const;

export const Source = z.looseObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,79}$/, 'must be lower-case words joined by dashes'),
  name: Short,
  url: z.string().max(2_000),
  type: z.enum(sourceTypes),
  topics: z.array(Short).max(50).default([]),
  tags: z.array(Short).max(50).default([]),
  verdict: Text.optional(),
  tier: Count.max(4).optional(),
  addedAt: When.optional(),
  evidence: z.array(Evidence).max(200).default([]),
});
export type Source = z.output<typeof Source>;

const techniqueStates = ['idea', 'planned', 'in_progress', 'adopted', 'rejected'] as const;

const Technique = z.looseObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,79}$/, 'must be lower-case words joined by dashes'),
  name: Short,
  description: Text.optional(),
  topic: Short.optional(),
  status: z.enum(techniqueStates).default('idea'),
  priority: z.enum(priorities).optional(),
  papers: z.array(Id).max(500).default([]),
  updatedAt: When.optional(),
});

/** A work that something mentions, for a person to take up or leave. */
export const Reference = z.looseObject({
  id: Id,
  title: Short.optional(),
  topic: Short.optional(),
  status: z.enum(['pending', 'dismissed']).default('pending'),
  foundIn: z.string().max(2_000).optional(),
  addedAt: When.optional(),
  evidence: z.array(Evidence).max(20).default([]),
});
export type Reference = z.output<typeof Reference>;

/** One file a kind: the name of its list, what its entries are, and what stands at its top. */
export const kinds = {
  papers: { entry: Paper, about: 'Works that this project knows' },
  sources: { entry: Source, about: 'Pages that this project relies on' },
  techniques: { entry: Technique, about: 'Ways of doing things, and how far this project is with them' },
  catalog: { entry: Reference, about: 'Works that something mentions, to be approved or dismissed' },
} as const;

export type Kind = keyof typeof kinds;
export type Entry<Of extends Kind> = z.output<(typeof kinds)[Of]['entry']>;
