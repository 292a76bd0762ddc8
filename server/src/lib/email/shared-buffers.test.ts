import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import v8 from 'node:v8'
import { runInNewContext } from 'node:vm'
import { giveBack } from './message-buffers.ts'
import { messageIn, newRooms, takeRoom } from './shared-buffers.ts'

test('what one writes the other reads, and a room is free again once it was left', () => {
  const rooms = newRooms()
  const room = takeRoom(rooms, 5)
  assert.ok(room)
  room.bytes.write('hello')
  const message = messageIn(rooms, room.n, 5)
  assert.equal(message.toString(), 'hello')
  assert.notEqual(takeRoom(rooms, 5)?.n, room.n)
  giveBack(message)
  assert.equal(takeRoom(rooms, 5)?.n, room.n)
  // Said twice it counts once: the room is another message's by now.
  giveBack(message)
  assert.notEqual(takeRoom(rooms, 5)?.n, room.n)
})

test('rooms do not touch, and there are so many and so large', () => {
  const rooms = newRooms()
  const all = Array.from({ length: 64 }, () => takeRoom(rooms, 64 * 1024))
  for (const [n, room] of all.entries()) room?.bytes.fill(n + 1)
  for (const [n, room] of all.entries()) assert.ok(room?.bytes.every((byte) => byte === n + 1))
  assert.equal(takeRoom(rooms, 1), undefined)
  assert.equal(takeRoom(newRooms(), 64 * 1024 + 1), undefined)
})

test('a message that nobody holds any more leaves its room by itself', async () => {
  v8.setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  const rooms = newRooms()
  const taken = Array.from({ length: 64 }, () => takeRoom(rooms, 10)?.n ?? -1)
  // Within a function of its own, whose values are gone with it.
  const lose = () => {
    for (const n of taken) messageIn(rooms, n, 10)
  }
  lose()
  for (let tries = 0; tries < 50 && !takeRoom(rooms, 10); tries++) {
    gc()
    await turnOfLoop()
  }
  assert.ok(takeRoom(rooms, 10))
})
