/** What entries of the audit log say beside their action has words on the page of an entry. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retainedKinds } from 'crier-server/accounts/businesses/retention.ts'
import { parseSync } from 'oxc-parser'
import { appLanguages, appTexts } from '../support/app-texts.ts'
import { serverFiles, textOf } from './sources.ts'

interface Node {
  type: string
  start: number
  [key: string]: unknown
}

/** Keys that the page of an entry does not show. */
const unshown: Readonly<Record<string, string>> = {
  plan: 'a hash of what was approved',
  confirmed_by: 'the proof of a second factor',
  confirmed_at: 'the proof of a second factor',
  passkey: 'an id in the proof of a second factor',
  other: 'the id of a contact',
  mandate: 'an id',
  connection: 'an id',
  holder: 'the id of a connection or of a person',
  is_notified: 'only says whether owners get a mail',
  retention: 'JSON; settings says that it changed',
  attention: 'JSON; settings says that it changed',
}

const proof = ['confirmed_by', 'confirmed_at', 'passkey']
const work = ['campaigns', 'automations']
/** Details that another file makes, or a type alone describes. */
const madeElsewhere: Readonly<Record<string, readonly string[]>> = {
  'accounts/factors/own-factor.ts details': ['issuer'],
  'accounts/members/invitations.ts details': [],
  'assistants/mandate.ts numbers': ['people_per_week', 'days'],
  'assistants/sending.ts done': work,
  'assistants/stopped-work.ts details': [],
  'campaigns/decide.ts proofOf': proof,
  'campaigns/resume.ts proofOf': proof,
  'closings/close.ts paused': work,
  'feeds/decide.ts proofOf': proof,
  'retention/run.ts deleted': retainedKinds,
  'sequences/decide.ts proofOf': proof,
}

/** Functions that write an entry with the details that are an argument of theirs. */
const recorders: Readonly<Record<string, number>> = { auditStop: 3, recordAnswer: 3 }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value

function* nodesIn(node: Node): Generator<Node> {
  yield node
  for (const part of Object.values(node).flat()) if (isNode(part)) yield* nodesIn(part)
}

const nameOf = (node: unknown): string =>
  isNode(node) ? String(node['name'] ?? node['value']) : ''

interface Writings {
  keys: Set<string>
  unresolved: string[]
}

function writingsOf(file: string): Writings {
  const text = textOf(file)
  const nodes = [...nodesIn(parseSync(file, text).program as unknown as Node)]
  const written: Writings = { keys: new Set(), unresolved: [] }
  const declarations = nodes.filter(({ type }) => type === 'VariableDeclarator')
  const functions = nodes.filter(({ type }) => type === 'FunctionDeclaration')

  function read(value: Node): void {
    const { type } = value
    if (type === 'ObjectExpression') {
      for (const part of value['properties'] as Node[]) {
        if (part.type === 'SpreadElement') read(part['argument'] as Node)
        else written.keys.add(nameOf(part['key']))
      }
    } else if (type === 'LogicalExpression') {
      const isDefault = value['operator'] === '??'
      if (!isDefault) read(value['right'] as Node)
    } else if (type === 'AwaitExpression') read(value['argument'] as Node)
    else if (type === 'ConditionalExpression') {
      read(value['consequent'] as Node)
      read(value['alternate'] as Node)
    } else if (type === 'ParenthesizedExpression') read(value['expression'] as Node)
    else readNamed(value)
  }

  function readNamed(value: Node): void {
    const name = nameOf(value['type'] === 'CallExpression' ? value['callee'] : value)
    const made = madeElsewhere[`${file.replace('server/src/', '')} ${name}`]
    if (made) {
      for (const key of made) written.keys.add(key)
      return
    }
    if (value.type === 'CallExpression') {
      const called = functions.find(({ id }) => nameOf(id) === name)
      const answers = called
        ? [...nodesIn(called)].filter(({ type }) => type === 'ReturnStatement')
        : []
      for (const { argument } of answers) read(argument as Node)
      if (answers.length > 0) return
    }
    const declared = declarations.findLast(
      ({ id, start }) => nameOf(id) === name && start < value.start,
    )
    if (value.type === 'Identifier' && isNode(declared?.['init'])) read(declared['init'])
    else written.unresolved.push(`${file.replace('server/src/', '')} ${name}`)
  }

  for (const node of nodes) {
    if (node.type === 'ObjectExpression') {
      const properties = (node['properties'] as Node[]).filter(({ type }) => type === 'Property')
      const names = properties.map(({ key }) => nameOf(key))
      // A mail to a person, or an event of a contact.
      if (names.includes('event') || names.includes('type')) continue
      const details = properties.find(({ key }) => nameOf(key) === 'details')
      if (details) read(details['value'] as Node)
    }
    const at = node.type === 'CallExpression' ? recorders[nameOf(node['callee'])] : undefined
    if (at !== undefined) read((node['arguments'] as Node[])[at] as Node)
  }
  return written
}

const writers = serverFiles.filter(
  (file) =>
    file !== 'server/src/events/audit.ts' &&
    /\b(?:recordAudit|recordOfPerson|auditStop)\(/.test(textOf(file)),
)

test('each detail of an entry of the audit log has words, or a reason to have none', async () => {
  assert.ok(writers.length > 60)
  const writings = writers.map(writingsOf)
  assert.deepEqual(
    writings.flatMap(({ unresolved }) => unresolved),
    [],
  )
  const keys = [...new Set(writings.flatMap((one) => [...one.keys]))].toSorted()
  for (const language of appLanguages) {
    const texts = new Set((await appTexts(language, 'audit.ts')).map(({ key }) => key))
    const hasWords = (key: string) => texts.has(`audit.facts.${key}`)
    assert.deepEqual(
      keys.filter((key) => hasWords(key) === key in unshown),
      [],
      language,
    )
  }
  assert.deepEqual(
    Object.keys(unshown).filter((key) => !keys.includes(key)),
    [],
  )
})

/** What is recorded under a name that is put together. */
const namedByPart = /action(?:: | = )`([a-z]+)\.\$\{decision\}`/g
const named = /action(?:: | = )'([a-z]+\.[a-z_]+)'/g

test('each action that entries are recorded for has words', async () => {
  const sources = writers.map(textOf)
  const actions = new Set(
    sources.flatMap((text) => [
      ...[...text.matchAll(named)].map(([, name = '']) => name),
      ...[...text.matchAll(namedByPart)].flatMap(([, noun]) => [
        `${noun}.approve`,
        `${noun}.refuse`,
      ]),
      ...[...text.matchAll(/recordAnswer\(tx, answer, '([a-z.]+)'/g)].map(([, name = '']) => name),
    ]),
  )
  assert.ok(actions.size > 80)
  for (const language of appLanguages) {
    const texts = new Set((await appTexts(language, 'audit.ts')).map(({ key }) => key))
    assert.deepEqual(
      [...actions].filter((name) => !texts.has(`audit.done.${name}`)),
      [],
      language,
    )
  }
})
