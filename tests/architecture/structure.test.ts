/**
 * The rules by which code is laid out, in docs/architecture.md under "Files and names". Where old
 * code still breaks one, a list or a figure beside the rule holds how much: it may only fall.
 */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { parseSync } from 'oxc-parser'
import { filesBelow, type Import, importsOf, isTest, serverFiles, textOf } from './sources.ts'

const importsOfServer: Import[] = ['server/src', 'tests', 'cli', 'bench', 'scripts']
  .flatMap(filesBelow)
  .flatMap(importsOf)
  .map(({ from, to }) => ({ from, to: to.replace(/^crier-server\//, 'server/src/') }))

/** The files on a list in this folder: one a line, with a reason after a space where there is one. */
const listed = (name: string): string[] =>
  textOf(`tests/architecture/${name}`)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(' ')[0] ?? '')

/** Folders of like files that one file lists, such as one for each language: a new one is the same. */
const foldersOfLikeFiles = [
  'server/src/core/recipient-words',
  'server/src/reference/guides',
  'server/src/reference/meanings',
  'server/src/reference/pages',
]

test('a file with one importer in its own folder has a test, or is part of its importer', () => {
  const importers = Map.groupBy(importsOfServer, ({ to }) => to)
  const alone = serverFiles.filter((file) => {
    if (foldersOfLikeFiles.includes(path.dirname(file))) return false
    const files = [...new Set((importers.get(file) ?? []).map(({ from }) => from))]
    const [only] = files
    if (files.length !== 1 || only === undefined || isTest(only)) return false
    return path.dirname(only) === path.dirname(file)
  })
  const [old, lazy] = [listed('one-importer.txt'), listed('loaded-lazily.txt')]
  assert.ok(importsOfServer.length > 1_000, `only ${importsOfServer.length} imports were seen`)
  assert.deepEqual(
    alone.filter((file) => !old.includes(file) && !lazy.includes(file)),
    [],
    'put these files into the one file that imports them',
  )
  assert.deepEqual(
    [...old, ...lazy].filter((file) => !alone.includes(file)),
    [],
    'take these files off the list in tests/architecture: they no longer break the rule',
  )
})

test('a file on the list of those loaded lazily is loaded by import() alone', () => {
  for (const file of listed('loaded-lazily.txt')) {
    const [importer] = importsOfServer.filter(({ to }) => to === file)
    assert.ok(importer, `${file} is not imported`)
    const name = path.basename(file).replaceAll('.', '\\.')
    const isLazy = new RegExp(`(?<!typeof )import\\(\\s*'[^']*/${name}'`).test(
      textOf(importer.from),
    )
    assert.ok(isLazy, `${importer.from} does not load ${file} by import()`)
  }
})

/** Texts bind the fields of what a check found, whose names are public. */
const filesWithNames = serverFiles.filter((file) => !file.includes('/campaigns/preflight/words/'))

/** Words that say nothing of what a binding holds: `existing`, `changes` or `row` would. */
const wordsWithoutNoun = new Set(
  'asked said told given held kept beside one place wish known what some most'.split(' '),
)
const mostBindingsWithoutNoun = 14

test('a binding is named by a noun', () => {
  const found = filesWithNames.flatMap((file) =>
    bindingsOf(textOf(file))
      .filter((name) => wordsWithoutNoun.has(name))
      .map((name) => `${file}: ${name}`),
  )
  atMost(found, mostBindingsWithoutNoun, 'bindings without a noun')
})

/** Participles that hold a thing without naming it. */
const participles = new Set('found wanted written made left wrong named shown taken'.split(' '))
const mostParticiples = 207

test('a binding is not named by a participle', () => {
  const found = filesWithNames.flatMap((file) =>
    bindingsOf(textOf(file))
      .filter((name) => participles.has(name))
      .map((name) => `${file}: ${name}`),
  )
  atMost(found, mostParticiples, 'bindings named by a participle')
})

const participlesOfTypes =
  /\b(?:type|interface) (Told|Named|Judged|Known|Handed|Chosen|Ended|Sent|Shown|Found|Counted|Begun|Refused|Described|Asked|Texted|Taken|Made|Held|Kept|Given)\b/g
const mostTypesWithoutNoun = 22

test('a type is named by a noun', () => {
  const found = serverFiles.flatMap((file) =>
    (textOf(file).match(participlesOfTypes) ?? []).map((name) => `${file}: ${name}`),
  )
  atMost(found, mostTypesWithoutNoun, 'types named by a participle')
})

test('a function that is named as a question returns true or false', () => {
  const found = serverFiles.flatMap((file) =>
    functionsOf(textOf(file))
      .filter(({ name }) => /^(?:is|has|may|was|can|does|needs)[A-Z]/.test(name))
      .filter(({ returns }) => !/^(?:boolean|Promise<boolean>|\w+ is .+)$/.test(returns))
      .map(({ name, returns }) => `${file}: ${name} returns ${returns}`),
  )
  assert.deepEqual(found, [], 'name a refusal or a clause by a noun, and work by a verb')
})

const mostLadders = 22

test('a refusal is thrown, and not handed from function to function', () => {
  // `if (isRefusal(x)) return x`, and the same with braces.
  const ladder = /if \((?:is|has)Refusal\w*\((\w+)\)\) (?:\{\s*)?return \1\b/g
  const found = serverFiles.flatMap((file) => (textOf(file).match(ladder) ?? []).map(() => file))
  atMost(found, mostLadders, 'refusals that are returned')
})

const mostSpreads = 12

test('a dependency is named where it is passed', () => {
  const spread = /\.\.\.(?:config|deps|parts)\b(?!\.)/g
  const found = serverFiles.flatMap((file) => (textOf(file).match(spread) ?? []).map(() => file))
  atMost(found, mostSpreads, 'dependencies that are passed by a spread')
})

/** Comments between two declarations that belong to neither, such as headers of files that were joined. */
const mostHeadersWithin = 1

test('a file has one header, and every other comment belongs to a declaration', () => {
  const found = serverFiles.flatMap((file) =>
    commentsAlone(textOf(file)).map((comment) => `${file}: ${comment}`),
  )
  atMost(found, mostHeadersWithin, 'comments that stand alone within a file')
})

/** Fails above the figure, and well below it, so that it is lowered as the code improves. */
function atMost(found: readonly string[], most: number, what: string): void {
  assert.ok(found.length <= most, `${found.length} ${what}, at most ${most}:\n${found.join('\n')}`)
  assert.ok(found.length > most - 20, `only ${found.length} ${what} are left: lower ${most}`)
}

/** Names that a source declares: of variables, parameters, and what they destructure. */
function bindingsOf(source: string): string[] {
  const names: string[] = []
  const pattern = (node: unknown): void => {
    if (!isNode(node)) return
    if (node.type === 'Identifier') names.push(String(node['name']))
    else if (node.type === 'ObjectPattern') list(node['properties']).forEach(pattern)
    else if (node.type === 'ArrayPattern') list(node['elements']).forEach(pattern)
    else if (node.type === 'Property') pattern(node['value'])
    else if (node.type === 'AssignmentPattern') pattern(node['left'])
    else if (node.type === 'RestElement') pattern(node['argument'])
    else if (node.type === 'TSParameterProperty') pattern(node['parameter'])
  }
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (!isNode(value)) return
    if (value.type === 'VariableDeclarator') pattern(value['id'])
    if (/Function|^Arrow/.test(value.type)) list(value['params']).forEach(pattern)
    if (value.type === 'CatchClause') pattern(value['param'])
    Object.values(value).forEach(visit)
  }
  visit(parseSync('source.ts', source).program)
  return names
}

/** The functions that a source declares, each with its return type as written. */
function functionsOf(source: string): { name: string; returns: string }[] {
  const functions: { name: string; returns: string }[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (!isNode(value)) return
    if (value.type === 'FunctionDeclaration' && isNode(value['id'])) {
      const type = isNode(value['returnType']) ? value['returnType']['typeAnnotation'] : undefined
      const returns = isNode(type)
        ? source.slice(Number(type['start']), Number(type['end']))
        : 'an unstated type'
      functions.push({ name: String(value['id']['name']), returns })
    }
    Object.values(value).forEach(visit)
  }
  visit(parseSync('source.ts', source).program)
  return functions
}

/** The beginnings of the comments that a blank line parts from the declaration below them. */
function commentsAlone(source: string): string[] {
  const { program, comments } = parseSync('source.ts', source)
  // What stands above the first declaration may be the header of the file.
  const first = program.body.findIndex(({ type }) => type !== 'ImportDeclaration')
  const between = program.body.slice(Math.max(0, first)).map(({ end }, i, all) => {
    return { from: end, to: all[i + 1]?.start ?? end }
  })
  return comments
    .filter(({ type, start, end, value }) => {
      const isAtTop = between.some(({ from, to }) => start >= from && end <= to)
      return type === 'Block' && value.startsWith('*') && isAtTop && isBlankAfter(source, end)
    })
    .map(({ start }) => source.slice(start, start + 80))
}

const isBlankAfter = (source: string, end: number) => /^\n\s*\n/.test(source.slice(end, end + 80))

interface SyntaxNode {
  type: string
  [field: string]: unknown
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

test('bindings are seen in declarations, parameters and patterns', () => {
  const names = bindingsOf(`
    const { a: asked, b = 1, ...said } = told()
    const [given, [held]] = said
    class Sample { constructor(private kept: string) {} }
    const place = ({ one }: { beside: number }, ...most: string[]) => what(most)
    try {} catch (wish) {}
  `)
  const expected = 'asked b given held kept most one place said wish'
  assert.equal(names.sort().join(' '), expected)
})

test('functions are seen with the types that they return', () => {
  const functions = functionsOf(`
    function isOpen(a: A): a is B { return true }
    export async function hasRoom(): Promise<boolean> { function isLate() {} }
  `)
  assert.deepEqual(functions, [
    { name: 'isOpen', returns: 'a is B' },
    { name: 'hasRoom', returns: 'Promise<boolean>' },
    { name: 'isLate', returns: 'an unstated type' },
  ])
})

test('a comment alone is seen, and the header and comments of declarations are not', () => {
  const source = `
    /** Says what the file is for. */

    import a from 'a'

    /** Of b, or of the whole. */

    const b = a
    /** Alone. */

    /** Of c. */
    const c = b
  `
  const found = commentsAlone(source).map((comment) => comment.split('\n', 1)[0])
  assert.deepEqual(found, ['/** Alone. */'])
})
