import { type ModelCaller, type Models, ToolError } from '@nexus/plugin-sdk';

/**
 * Whether there is a model for an expert: found now, so that nobody makes one that can never answer.
 * @param model `provider:name`, a provider, or `auto`; absent for the config's choice
 * @throws {ToolError} NEXUS_NO_MODEL, with the ways to get one; NEXUS_NOT_FOUND for a provider that is not there
 */
export async function assertModelNamed(
  model: string | undefined,
  models: Models,
  caller?: Partial<ModelCaller>,
): Promise<void> {
  await models.route({}, caller);
  if (model === undefined || model === 'auto') return;
  const [wanted] = model.split(':', 1);
  const providers = await models.list(caller);
  const provider = providers.find(({ name }) => name === wanted);
  if (provider?.isFound) return;
  const found = providers.filter(({ isFound }) => isFound).map(({ name }) => name);
  const why = provider ? `it was not found here: ${provider.reason}` : 'there is no such provider';
  const text = `modelPreference "${model}" can't be met: ${why}. Found are ${found.join(', ')}; \`nexus models\` lists their models.`;
  throw new ToolError('NEXUS_NOT_FOUND', text, { detail: { model, found } });
}
