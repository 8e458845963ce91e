import { catalogued } from './catalogued.ts';

/** Five servers that many projects have, each tool with what it says of itself. */
const SERVERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  filesystem: {
    read_text_file: 'Read the complete contents of a file from the file system as text.',
    read_multiple_files: 'Read the contents of multiple files simultaneously.',
    write_file: 'Create a new file or completely overwrite an existing file with new content.',
    edit_file: 'Make line-based edits to a text file. Returns a git-style diff.',
    create_directory: 'Create a new directory or ensure a directory exists.',
    list_directory: 'Get a detailed listing of all files and directories in a specified path.',
    directory_tree: 'Get a recursive tree view of files and directories as a JSON structure.',
    move_file: 'Move or rename files and directories.',
    search_files: 'Recursively search for files and directories matching a pattern.',
    get_file_info: 'Retrieve detailed metadata about a file or directory.',
  },
  git: {
    git_status: 'Shows the working tree status',
    git_diff: 'Shows differences between branches or commits',
    git_commit: 'Records changes to the repository',
    git_add: 'Adds file contents to the staging area',
    git_log: 'Shows the commit logs',
    git_create_branch: 'Creates a new branch from an optional base branch',
    git_show: 'Shows the contents of a commit',
  },
  knowledge: {
    create_entities: 'Create multiple new entities in the knowledge graph',
    create_relations: 'Create multiple new relations between entities in the knowledge graph',
    add_observations: 'Add new observations to existing entities in the knowledge graph',
    delete_entities: 'Delete multiple entities and their associated relations from the knowledge graph',
    read_graph: 'Read the entire knowledge graph',
    search_nodes: 'Search for nodes in the knowledge graph based on a query',
  },
  tracker: {
    create_issue: 'Create a new issue in a repository.',
    list_issues: 'List issues of a repository with filters.',
    add_issue_comment: 'Add a comment to an existing issue.',
    create_pull_request: 'Create a new pull request.',
    merge_pull_request: 'Merge a pull request.',
    search_repositories: 'Search for repositories.',
    get_file_contents: 'Get the contents of a file or directory of a repository.',
  },
  browser: {
    navigate: 'Navigate to a URL',
    click: 'Click an element on the page',
    take_screenshot: 'Take a screenshot of the current page',
    fetch: 'Fetches a URL from the internet and extracts its contents as markdown.',
    evaluate: 'Execute JavaScript in the page',
  },
};

export const BESIDE = Object.entries(SERVERS).flatMap(([server, tools]) =>
  Object.entries(tools).map(([name, description]) =>
    catalogued(server, { name, description, inputSchema: { type: 'object', properties: {} } }),
  ),
);
