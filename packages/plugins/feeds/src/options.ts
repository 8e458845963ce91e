import { z } from 'zod';
import { publicationKinds } from './vendors/vendor.ts';

const publication = z.strictObject({
  kind: z.enum(publicationKinds).describe('What is to be found there.'),
  at: z
    .string()
    .min(1)
    .max(2_000)
    .describe('An http or https URL, or the path of a file of the project with a copy of it.'),
});

export const options = z.strictObject({
  vendors: z
    .record(
      z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'must be in lower case, such as acme-cloud'),
      z.strictObject({
        title: z.string().min(1).max(200).optional().describe('Its name, as people write it.'),
        publishes: z.array(publication).min(1).max(20).describe('Where it says what it changed.'),
      }),
    )
    .default({})
    .describe(
      'Vendors by name, beside those that come with Nexus, for vendor_publishing_audit and `nexus feeds`. One with the name of one that comes with Nexus takes its place.',
    ),
});

export type FeedsOptions = z.output<typeof options>;
