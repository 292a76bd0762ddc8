import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dotStuffed } from './connection.ts'

const of = (text: string) => dotStuffed(Buffer.from(text)).toString()

test('a line that begins with a dot gets another dot, including the first line', () => {
  assert.equal(of('.a\r\nb.\r\n.\r\n..c\r\n'), '..a\r\nb.\r\n..\r\n...c\r\n')
})

test('a message without such a line is unchanged', () => {
  const message = Buffer.from('Subject: A\r\n\r\na.b\r\n')
  assert.equal(dotStuffed(message), message)
  assert.equal(of(''), '')
})
