import assert from 'node:assert/strict'
import { test } from 'node:test'
import { print } from './output.ts'

const businesses = [{ business_id: 'bus_1', name: 'Fennoway Yoga', tier: 'scale' }]

function printed(columns: number | undefined): string {
  let text = ''
  const write = (part: string) => {
    text += part
    return true
  }
  print(businesses, { stream: { isTTY: true, columns, write } as unknown as NodeJS.WriteStream })
  return text
}

test('a terminal that reports no width gets the columns of a usual terminal', () => {
  for (const columns of [0, undefined]) {
    assert.match(printed(columns), /Fennoway Yoga {2}scale/)
    assert.doesNotMatch(printed(columns), /not shown/)
  }
  assert.match(printed(20), /not shown: name, tier/)
})
