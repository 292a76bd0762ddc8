import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getCountries, getExampleNumber } from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples'
import { zonesOfNumber } from './phone-zones.ts'

test('a number of a country with one clock is there', () => {
  assert.deepEqual(zonesOfNumber('+33612345678'), ['Europe/Paris'])
  assert.deepEqual(zonesOfNumber('+9779812345678'), ['Asia/Katmandu'])
})

test('an area code that lies in one zone tells it', () => {
  assert.deepEqual(zonesOfNumber('+12125550100'), ['America/New_York'])
  assert.deepEqual(zonesOfNumber('+13105550100'), ['America/Los_Angeles'])
  assert.deepEqual(zonesOfNumber('+18085550100'), ['Pacific/Honolulu'])
  assert.deepEqual(zonesOfNumber('+5511987654321'), ['America/Sao_Paulo'])
})

test('an area code that lies in several gives them all', () => {
  assert.deepEqual(zonesOfNumber('+12195550100'), ['America/Chicago', 'America/New_York'])
  assert.deepEqual(zonesOfNumber('+5581987654321'), ['America/Noronha', 'America/Sao_Paulo'])
})

test('an area code laid over another has the zones of both', () => {
  assert.deepEqual(zonesOfNumber('+13645550100'), zonesOfNumber('+12705550100'))
  assert.deepEqual(zonesOfNumber('+19865550100'), zonesOfNumber('+12085550100'))
})

test('an area code that tells nothing leaves the whole country', () => {
  const zones = zonesOfNumber('+18005550100')
  for (const zone of ['America/New_York', 'America/Adak', 'Pacific/Honolulu']) {
    assert.ok(zones.includes(zone), zone)
  }
  assert.ok(!zones.includes('Pacific/Guam'), 'Guam has an area code of its own')
})

test('a mobile number of Russia could be anywhere from Kaliningrad to Kamchatka', () => {
  const zones = zonesOfNumber('+79161234567')
  assert.ok(zones.includes('Europe/Kaliningrad') && zones.includes('Asia/Kamchatka'))
  assert.ok(!zones.includes('Asia/Almaty'), 'Kazakhstan shares the calling code alone')
  assert.ok(zonesOfNumber('+77012345678').includes('Asia/Almaty'))
})

test('a number of no country is in no zone', () => {
  assert.deepEqual(zonesOfNumber('+80012345678'), [])
  assert.deepEqual(zonesOfNumber('+883510012345'), [])
  assert.deepEqual(zonesOfNumber('nonsense'), [])
})

test('every country that has numbers has a zone, and each zone is one that there is', () => {
  const countries = getCountries()
  assert.ok(countries.length > 200)
  for (const country of countries) {
    const number = getExampleNumber(country, examples)
    const zones = zonesOfNumber(number?.number ?? '')
    assert.ok(zones.length > 0, country)
    for (const timeZone of zones) new Intl.DateTimeFormat('en', { timeZone })
  }
})
