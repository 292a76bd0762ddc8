import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../tests/support/properties.ts'
import { jsonSyntaxFault } from './json-syntax.ts'

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('a fault is found exactly where JSON.parse refuses the text', () => {
  const signs = fc.constantFrom(...Array.from('{}[]",:0-1.e+\\untrue al\t\n\u0001é'))
  const changed = fc
    .tuple(fc.json(), fc.nat(), fc.nat({ max: 2 }), fc.string({ unit: signs, maxLength: 3 }))
    .map(([text, at, drop, more]) => {
      const place = at % (text.length + 1)
      return text.slice(0, place) + more + text.slice(place + drop)
    })
  const loose = fc.string({ unit: signs, maxLength: 12 })
  fc.assert(
    fc.property(fc.oneof(changed, loose), (text) => {
      assert.equal(jsonSyntaxFault(text) === undefined, isJson(text), JSON.stringify(text))
    }),
    { numRuns: 3000 },
  )
})

test('the place is told as editors count it, with what belongs there', () => {
  const cases: [text: string, line: number, column: number, message: RegExp][] = [
    ['{"a":1,}', 1, 8, /^} stands where JSON has a name in double quotes$/],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3, /^" stands where JSON has a comma or the end/],
    ["{'a':1}", 1, 2, /^' stands where JSON has a name/],
    ['{"a":tru}', 1, 6, /^t stands where JSON has a value$/],
    ['{"a":"x\ny"}', 1, 8, /blank or invisible character stands where JSON has a line break/],
    ['{"a":"C:\\dir"}', 1, 9, /^\\ stands where JSON has a backslash as/],
    ['{"a":"x', 1, 8, /^the text ends where JSON has the closing double quote$/],
    ['{"a":[1', 1, 8, /^the text ends where JSON has a comma/],
    ['', 1, 1, /^the text ends where JSON has a value$/],
    ['{} x', 1, 4, /^x stands where JSON has nothing more$/],
  ]
  for (const [text, line, column, message] of cases) {
    const fault = jsonSyntaxFault(text)
    assert.deepEqual([fault?.line, fault?.column], [line, column], text)
    assert.match(fault?.message ?? '', message)
  }
})

test('a megabyte of brackets is read once', () => {
  const deep = '['.repeat(1_000_000)
  assert.equal(jsonSyntaxFault(deep)?.column, 1_000_001)
})
