import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';

export const registryImport = defineTool({
  name: 'registry_import',
  title: 'Import model',
  description:
    'Drafts the entry of a model for the config, checked against its provider’s own list of models, which it asks for. Writes nothing: with dryRun=false it also answers what to put into nexus.config.json.',
  input: z.object({
    provider: z.string().min(1).max(100).describe('As `nexus models` names it, such as anthropic or openai.'),
    modelId: z.string().min(1).max(200).describe('As the provider names the model.'),
    dryRun: z.boolean().default(true).describe('false also answers the lines for the config.'),
  }),
  output: z.object({
    model: z.string().describe('provider:name'),
    isOffered: z.boolean().describe('Whether the provider’s list has it.'),
    offered: z.int().describe('How many models that list has.'),
    nearest: z.array(z.string()).describe('Names on the list that are like it, where it is not there.'),
    draft: z.object({
      contextWindow: z.number().optional(),
      maxOutputTokens: z.number().optional(),
      price: z
        .object({ input: z.number(), output: z.number(), cachedInput: z.number().optional() })
        .optional()
        .describe('US dollars per million tokens.'),
      asOf: z.string().optional().describe('When the price was looked up.'),
      quality: z.record(z.string(), z.number()),
      unknown: z.array(z.string()).describe('What nobody states: set it in the config.'),
    }),
    howTo: z.string().optional(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  budget: 'network',
  async call({ provider, modelId, dryRun }, context: CallContext) {
    const { entry, isOffered, offered, nearest } = await context.host.models.lookUp(
      { provider, name: modelId },
      context,
    );
    const { contextWindow, maxOutputTokens, price, asOf, quality } = entry;
    const sizes = {
      ...(contextWindow === undefined ? {} : { contextWindow }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    };
    const unknown = (['contextWindow', 'maxOutputTokens', 'price'] as const).filter(
      (field) => entry[field] === undefined,
    );
    const stated = { ...sizes, ...(price === undefined ? {} : { price }) };
    return {
      model: entry.id,
      isOffered,
      offered,
      nearest: [...nearest],
      draft: { ...stated, ...(asOf === undefined ? {} : { asOf }), quality: { ...quality }, unknown },
      ...(dryRun ? {} : { howTo: howTo({ provider, modelId, isOffered, stated }) }),
    };
  },
});

/** In words and lines for a person: the config is theirs to change. */
function howTo({
  provider,
  modelId,
  isOffered,
  stated,
}: {
  provider: string;
  modelId: string;
  isOffered: boolean;
  stated: Readonly<Record<string, unknown>>;
}): string {
  if (!isOffered) return `${provider} does not list "${modelId}": nothing to put into the config.`;
  const known = Object.keys(stated).length === 0 ? {} : { models: { [`${provider}:${modelId}`]: stated } };
  const section = { models: { providers: { [provider]: { models: [modelId] } }, ...known } };
  return `Put this into nexus.config.json, beside the models that are named there already (the first of a provider is its default):\n${JSON.stringify(section, null, 2)}`;
}
