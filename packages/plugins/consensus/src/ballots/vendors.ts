/** Whose model it is, by how its name begins; what is not known here stands for itself. */
const FAMILIES = {
  claude: 'Anthropic',
  gpt: 'OpenAI',
  chatgpt: 'OpenAI',
  codex: 'OpenAI',
  gemini: 'Google',
  gemma: 'Google',
  llama: 'Meta',
  mistral: 'Mistral',
  mixtral: 'Mistral',
  magistral: 'Mistral',
  codestral: 'Mistral',
  qwen: 'Alibaba',
  deepseek: 'DeepSeek',
  grok: 'xAI',
  phi: 'Microsoft',
  command: 'Cohere',
  kimi: 'Moonshot',
  glm: 'Zhipu',
} as const satisfies Record<string, string>;

/** By where it is asked, when the model's own name does not say. */
const PROVIDERS = {
  anthropic: 'Anthropic',
  claude: 'Anthropic',
  openai: 'OpenAI',
  codex: 'OpenAI',
  google: 'Google',
  gemini: 'Google',
} as const satisfies Record<string, string>;

/**
 * Who made a model: models of one maker share data and training, and err alike more than others do.
 * @param model `provider:name`, where the name may be a path such as `meta/llama-4`
 */
export function vendorOf(model: string): string {
  const provider = model.slice(0, model.indexOf(':'));
  const name = modelName(model).toLowerCase();
  const family = Object.entries(FAMILIES).find(([start]) => name.startsWith(start));
  if (family) return family[1];
  // OpenAI's o-series.
  if (/^o\d/.test(name)) return 'OpenAI';
  const known: Readonly<Record<string, string>> = PROVIDERS;
  return known[provider] ?? provider;
}

/** The model alone: the same one by another way in is the same model. */
export function modelName(model: string): string {
  const name = model.slice(model.indexOf(':') + 1);
  return name.slice(name.lastIndexOf('/') + 1);
}
