/** A file that is renamed and changed, with a fault in line 3. */
export const RENAMED = `diff --git a/src/login.ts b/src/sign-in.ts
similarity index 80%
rename from src/login.ts
rename to src/sign-in.ts
index 1111111..2222222 100644
--- a/src/login.ts
+++ b/src/sign-in.ts
@@ -1,5 +1,5 @@
 export function find(db: Db, name: string) {
-  const query = 'select * from users where name = ?';
-  return db.get(query, [name]);
+  const trimmed = name.trim();
+  return db.get(\`select * from users where name = '\${trimmed}'\`);
 }
 export const MAX = 10;
`;

/** One file with so many added lines. */
export function added(path: string, lines: readonly string[]): string {
  return [
    `diff --git a/${path} b/${path}`,
    'new file mode 100644',
    '--- /dev/null',
    `+++ b/${path}`,
    `@@ -0,0 +1,${lines.length} @@`,
    ...lines.map((line) => `+${line}`),
    '',
  ].join('\n');
}
