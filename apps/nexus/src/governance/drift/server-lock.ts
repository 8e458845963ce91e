/** The lists of MCP that a server's definitions come in, each with the key that names an entry. */
export const LOCKED_LISTS = [
  { section: 'tools', method: 'tools/list', key: 'name' },
  { section: 'resources', method: 'resources/list', key: 'uri' },
  { section: 'resourceTemplates', method: 'resources/templates/list', key: 'uriTemplate' },
  { section: 'prompts', method: 'prompts/list', key: 'name' },
] as const;

export type LockSection = (typeof LOCKED_LISTS)[number]['section'];

/** Every definition that a server serves, whole, by section and name: what drift is measured against. */
export type ServerLock = Readonly<Record<LockSection, Readonly<Record<string, unknown>>>>;
