import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cloudServices } from './cloud-services.ts'
import { mayReach, parseAllowRule } from './outbound-guard.ts'

function rule(text: string) {
  const parsed = parseAllowRule(text)
  assert.ok(parsed, text)
  return parsed
}

test('no service of a cloud for its virtual machines is reached, in any spelling or range', () => {
  assert.ok(cloudServices.length >= 16)
  const wide = [rule('0.0.0.0/0:*'), rule('::/0:*'), rule('fd00::/8:*'), rule('100.64.0.0/10:443')]
  for (const { address, cloud, source } of cloudServices) {
    assert.match(source, /^https:\/\//, address)
    const spellings = address.includes(':') ? [address] : [address, `::ffff:${address}`]
    for (const spelling of spellings) {
      for (const port of [80, 443, 32_526]) {
        assert.equal(mayReach(spelling, port, []), false, `${cloud}: ${spelling}`)
        assert.equal(mayReach(spelling, port, wide), false, `${cloud}: ${spelling} by a wide rule`)
      }
    }
  }
  assert.ok(mayReach('168.63.129.17', 443, []), 'the address beside it is one of the internet')
  assert.ok(mayReach('100.100.100.201', 443, wide), 'the address beside it is in the allowed range')
})

test('an operator who names the address of a cloud service itself reaches it', () => {
  assert.ok(mayReach('168.63.129.16', 80, [rule('168.63.129.16/32:80')]))
  assert.ok(mayReach('fd00:ec2::254', 80, [rule('fd00:ec2::254/128:80')]))
})
