import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readBody, readPairs } from './arguments.ts'

test('the value of a pair is read as JSON where it parses, and as text elsewhere', () => {
  const words = ['name=Ana', 'age=41', 'ok=true', 'none=null', 'tags=["a","b"]', 'note={"a":1}']
  assert.deepEqual(readPairs(words), {
    name: 'Ana',
    age: 41,
    ok: true,
    none: null,
    tags: ['a', 'b'],
    note: { a: 1 },
  })
})

test('the value of a pair may be empty and may contain anything, including = and line breaks', () => {
  const words = ['a=', 'b=x=y', 'c=1\n2', 'd=has space']
  assert.deepEqual(readPairs(words), { a: '', b: 'x=y', c: '1\n2', d: 'has space' })
})

test('a number that would not print back the same is read as text', () => {
  const words = ['id=12345678901234567890', 'version=1.10', 'big=1e3', 'n=-1.5', 'zip=01234']
  assert.deepEqual(readPairs(words), {
    id: '12345678901234567890',
    version: '1.10',
    big: '1e3',
    n: -1.5,
    zip: '01234',
  })
})

test('quotes force a value to be text, and := forces it to be JSON', () => {
  assert.deepEqual(readPairs(['a="41"', 'b:="41"', 'c:=1e3']), { a: '41', b: '41', c: 1000 })
  assert.throws(() => readPairs(['tags:=vip']), { code: 'usage', message: /tags:= must be JSON/ })
})

test('@FILE of what is no text is its bytes as base64', () => {
  const file = `${import.meta.dirname}/../../docs/pictures/automation.png`
  const { data } = readPairs([`data=@${file}`])
  assert.equal(data, readFileSync(file, 'base64'))
})

test('@FILE is the content of that file as text, and @@ begins a text with @', () => {
  const [pair] = Object.entries(readPairs([`html=@${import.meta.filename}`]))
  assert.match(String(pair?.[1]), /^import assert/)
  assert.deepEqual(readPairs(['handle=@@ana']), { handle: '@ana' })
  assert.deepEqual(readPairs([`n:=@${import.meta.dirname}/../package.json`])['n'] !== null, true)
  const missing = { code: 'usage', message: /"@no\.html" names a file, and there is no such file/ }
  assert.throws(() => readPairs(['html=@no.html']), missing)
})

test('a word without = is refused, and a key cannot change the prototype of an object', () => {
  for (const word of ['ana', '=x', '--force', 'a b=1']) {
    assert.throws(() => readPairs([word]), { code: 'usage' }, word)
  }
  const pairs = readPairs(['__proto__={"polluted":true}'])
  assert.equal(pairs['polluted'], undefined)
  assert.deepEqual(Object.keys(pairs), ['__proto__'])
})

test('only a JSON object is accepted as a body', () => {
  assert.deepEqual(readBody('{"a":[1]}'), { a: [1] })
  for (const text of ['', '[]', '1', 'null', '{a:1}']) {
    assert.throws(() => readBody(text), { code: 'usage' }, text)
  }
})
