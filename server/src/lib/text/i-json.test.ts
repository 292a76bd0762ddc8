import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../tests/support/properties.ts'
import { type JsonFault, parseIJson } from './i-json.ts'

const faultOf = (text: string) => {
  const parsed = parseIJson(text)
  assert.ok(parsed, `not JSON: ${text.slice(0, 200)}`)
  return parsed.fault && [parsed.fault.kind, ...parsed.fault.path]
}

test('integers beyond 2^53 - 1 and numbers beyond a double are found, with their place', () => {
  const limit = Number.MAX_SAFE_INTEGER
  for (const literal of ['9007199254740992', '-9007199254740992', '12345678901234567890']) {
    assert.deepEqual(faultOf(`{"a":[1,{"b":${literal}}]}`), ['large_integer', 'a', 1, 'b'])
    assert.deepEqual(faultOf(literal), ['large_integer'])
  }
  for (const literal of ['1e400', '-1E+400', `1${'0'.repeat(400)}`]) {
    assert.deepEqual(faultOf(`[0 , "x", ${literal} ]`), ['infinite_number', 2])
  }
  const fine = [limit, -limit, '1e3', '1E+20', '1.5', '12345678901234567890.5', '-0', '0.1e30']
  for (const literal of fine) assert.equal(faultOf(`{"a":${literal}}`), undefined, `${literal}`)
  assert.equal(faultOf('{"a":"12345678901234567890","b":["1e400"]}'), undefined)
})

test('a name that is in one object twice is found, however it is spelled', () => {
  assert.deepEqual(faultOf('{"a":{"b":1,"c":2,"b":3}}'), ['doubled_name', 'a', 'b'])
  assert.deepEqual(faultOf('[{"a":1},{"a":1,"\\u0061":2}]'), ['doubled_name', 1, 'a'])
  assert.deepEqual(faultOf('{"":1,"x":{},"":2}'), ['doubled_name', ''])
  assert.deepEqual(faultOf('{"__proto__":1,"__proto__":2}'), ['doubled_name', '__proto__'])
  assert.deepEqual(faultOf('{"a\\"b":1 , "a\\"b" :2}'), ['doubled_name', 'a"b'])
  assert.deepEqual(faultOf('{"1":1,"1":1,"b":12345678901234567890}'), ['doubled_name', '1'])
  assert.equal(faultOf('{"a":{"a":[{"a":1},{"a":":"}]},"b":"{\\"a\\":1,\\"a\\":2}"}'), undefined)
})

test('what is not JSON is nothing', () => {
  for (const text of ['', '{', '{"a":1,}', 'NaN', '01', "{'a':1}", '\ufeff{}', '[1 2]']) {
    assert.equal(parseIJson(text), undefined, text)
  }
})

const literals = [
  '0',
  '-1.5',
  '1e3',
  '9007199254740993',
  '1e999',
  'true',
  'null',
  '"x:,]}"',
  '"\\\\"',
]
// No name is a lone backslash. Once V8 has read one after some name, it takes every escaped name in
// that place for it, in other texts as well (Node 24.21).
type Tree = string | Tree[] | { entries: [string, Tree][] }
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(...literals),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.record({
      entries: fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'é', '"', ''), tie('tree')), {
        maxLength: 4,
      }),
    }),
  ),
}))

/** The text, in the order in which a reader meets its faults. */
function write(node: Tree, path: JsonFault['path'], faults: JsonFault[]): string {
  if (typeof node === 'string') {
    if (node === '9007199254740993') faults.push({ path, kind: 'large_integer' })
    if (node === '1e999') faults.push({ path, kind: 'infinite_number' })
    return ` ${node}\n`
  }
  if (Array.isArray(node)) {
    return `[${node.map((item, i) => write(item, [...path, i], faults)).join(',')} ]`
  }
  const seen = new Set<string>()
  const parts = node.entries.map(([name, value]) => {
    if (seen.has(name)) faults.push({ path: [...path, name], kind: 'doubled_name' })
    seen.add(name)
    return `${JSON.stringify(name)} :${write(value, [...path, name], faults)}`
  })
  return `{ ${parts.join(',\t')}}`
}

test('the first fault of any text is found, and a text without one is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(tree, (root) => {
      const faults: JsonFault[] = []
      const text = write(root, [], faults)
      const parsed = parseIJson(text)
      assert.deepEqual(parsed?.fault, faults[0])
      assert.deepEqual(parsed?.value, JSON.parse(text))
    }),
  )
})

test('hostile texts of a megabyte take no longer than they are long', () => {
  const million = 1_000_000
  const texts = [
    '['.repeat(million / 2) + ']'.repeat(million / 2),
    `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`,
    JSON.stringify({ a: '\\'.repeat(million / 2), b: 1e20 }),
    JSON.stringify({ a: '"'.repeat(million / 2), b: 1e20 }),
    `[${'1e20,'.repeat(200_000)}1]`,
    `{${Array.from({ length: 100_000 }, (_, i) => `"${i}":1e20`).join()},"a":1,"a":2}`,
  ]
  for (const text of texts) {
    const start = performance.now()
    assert.ok(parseIJson(text))
    const passed = performance.now() - start
    // A quadratic scan of these takes minutes.
    assert.ok(passed < 20_000, `${passed} ms for ${text.slice(0, 20)}`)
  }
})
