import type { ListedTool } from './listed-tool.ts';
import type { RegisteredTool } from './registered-tool.ts';

/**
 * A tool that is listed from what is known of it, and made by the first call: its module, its schemas and
 * what they need are loaded then. A load that fails is that call's error, and the next call tries again.
 */
export function lazyTool(
  listed: ListedTool,
  plugin: string,
  make: () => Promise<RegisteredTool>,
): RegisteredTool {
  let made: RegisteredTool | undefined;
  let loading: Promise<void> | undefined;
  const tool = () => {
    if (!made) throw new Error(`load() ${listed.name} before it is used`);
    return made;
  };
  const load = async () => {
    try {
      made = await make();
    } finally {
      loading = undefined;
    }
  };
  return {
    ...listed,
    plugin,
    load() {
      if (made) return undefined;
      loading ??= load();
      return loading;
    },
    get aliases() {
      return made?.aliases;
    },
    validate: (args) => tool().validate(args),
    fits: (key, value) => tool().fits(key, value),
    fitsOutput: (structure) => tool().fitsOutput?.(structure) ?? false,
    run: (value, context) => tool().run(value, context),
  };
}
