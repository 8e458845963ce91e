/** Where a real host runs: a home, a project and a model of its own. */
export interface Place {
  readonly home: string;
  readonly project: string;
  /** Where its model answers, without a version at its end. */
  readonly modelUrl: string;
}

/** A host as its makers publish it, and how it is run without anybody at its terminal. */
export interface RealHost {
  /** As `nexus init` names it. */
  readonly name: string;
  readonly packageName: string;
  readonly program: string;
  /** Its own settings, by path below the home: the scripted model, and nothing sent anywhere. */
  files(place: Place): Readonly<Record<string, string>>;
  env(place: Place): Readonly<Record<string, string>>;
  /** Commands of its own that come before, by their arguments. */
  setUp?(place: Place): readonly (readonly string[])[];
  /** Where it takes what `nexus init` prints: a file below the home or the project, or a command that is run. */
  readonly takes: { readonly file: string; readonly of: 'home' | 'project' } | 'command';
  /** Takes the choice that `nexus init` names, by which it asks nobody about Nexus's tools. */
  allow?(snippet: string): string;
  /** One prompt, answered to its end. */
  args(prompt: string): readonly string[];
  /** How its user asks for the server's prompt of this name; absent where it has no way to without its screen. */
  promptArgs?(prompt: string): readonly string[];
  /** What its user sets so that its model finds tools by a search of the host's own, where that is off from home. */
  readonly searchEnv?: Readonly<Record<string, string>>;
  /** How Nexus asks it as a model; absent where it does not. */
  readonly source?: {
    readonly name: string;
    /** Its user's own settings with this program as a server, by path below the home. */
    servers(program: string): Readonly<Record<string, string>>;
  };
}

/** The choice of the hosts that grew out of Gemini CLI. */
export function trusted(snippet: string): string {
  const { mcpServers } = JSON.parse(snippet);
  return JSON.stringify({ mcpServers: { nexus: { ...mcpServers.nexus, trust: true } } });
}
