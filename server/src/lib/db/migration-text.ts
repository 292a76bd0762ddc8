/**
 * What a migration's file says of itself. Most run in one transaction. One that begins with the line
 * `-- outside of a transaction` runs statement by statement, for what may last minutes on a large table
 * while the service works: it reads `create index concurrently`, `drop index concurrently`, and
 * constraints that are added NOT VALID and then validated. One that begins with `-- in batches of TABLE by KEY` is
 * the one statement that a job runs for a few rows at a time.
 */
/** A migration's file as text. */
interface MigrationText {
  text: string
}

export const outsideLine = '-- outside of a transaction'

export const isOutside = ({ text }: MigrationText): boolean => text.startsWith(outsideLine)

const batchesLine = /^-- in batches of (\w+) by (\w+(?:, \w+)*)\n/

export interface Batches {
  table: string
  /** The columns of its primary key, in their order. */
  key: readonly string[]
  /** Changes the rows of `batch`, which has the keys of some. It may run twice for the same row. */
  statement: string
}

/** What such a file says; undefined for every other. */
export function batchesOf(migration: MigrationText): Batches | undefined {
  const [line, table = '', key = ''] = batchesLine.exec(migration.text) ?? []
  if (line === undefined) return undefined
  const [statement = '', ...more] = statementsOf(migration)
  if (more.length > 0 || !isWhole(statement) || !/ from batch where /.test(statement)) {
    throw new Error('A migration in batches is one statement: update … from batch where …')
  }
  return { table, key: key.split(', '), statement }
}

/** The statements without lines of comment. A file outside of a transaction has none that `isWhole` refuses. */
export function statementsOf({ text }: MigrationText): string[] {
  return withoutComments(text)
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '')
}

/**
 * Whether it is one statement for certain: text after a comment or a semicolon within it would not
 * run, or not as it stands in the file.
 */
export const isWhole = (statement: string): boolean => !/;|--|\/\*|\$\w*\$/.test(statement)

const withoutComments = (text: string) => text.replace(/^\s*--.*$/gm, '')

export interface Effect {
  table: string
  /** What it costs for each row; `none` of it reads or writes rows. */
  cost: 'index' | 'reading' | 'writing' | 'none'
}

const name = String.raw`(?:only )?(?:public\.)?"?(\w+)"?`
const costs: readonly [pattern: RegExp, cost: Effect['cost']][] = [
  [new RegExp(`^create (?:unique )?index (?:concurrently )?.*? on ${name}`), 'index'],
  [new RegExp(`^alter table ${name} .*validate constraint`), 'reading'],
  [new RegExp(`^alter table ${name} .*set not null`), 'reading'],
  [
    new RegExp(
      `^alter table ${name} .*add (?:constraint \\w+ )?(?:check|foreign key)(?!.*not valid)`,
    ),
    'reading',
  ],
  [new RegExp(`^alter table ${name} .*add (?:constraint \\w+ )?(?:primary key|unique)`), 'index'],
  [new RegExp(`^alter table ${name} .*(?:alter (?:column )?\\w+ (?:set data )?type)`), 'writing'],
  [new RegExp(`^alter table ${name}`), 'none'],
  [new RegExp(`^update ${name}`), 'writing'],
  [new RegExp(`^delete from ${name}`), 'writing'],
]

/** What a statement does to a table that may have rows; undefined if to none. */
export function effectOf(statement: string): Effect | undefined {
  const text = statement.toLowerCase()
  for (const [pattern, cost] of costs) {
    const table = pattern.exec(text)?.[1]
    if (table !== undefined) return { table, cost }
  }
  return undefined
}
