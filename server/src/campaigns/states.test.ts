import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../core/ids.ts'
import { type CampaignState, campaignStates } from './campaign.ts'
import { actions, type CampaignAction, possibleIn, refusedIn } from './states.ts'

/** The actions that each state allows, written by hand from the design. */
const open: Record<CampaignState, CampaignAction[]> = {
  draft: ['save', 'preview', 'test', 'deploy', 'copy', 'cancel'],
  scheduled: ['preview', 'test', 'deploy', 'unschedule', 'copy', 'cancel'],
  awaiting_approval: ['preview', 'test', 'approve', 'unschedule', 'copy', 'cancel'],
  deployed: ['pause', 'resend', 'copy', 'cancel'],
  paused: ['unschedule', 'resume', 'resend', 'copy', 'cancel'],
  completed: ['resend', 'copy'],
  cancelled: ['copy'],
}

test('each action in each state is allowed, or refused with the state and the possible actions', () => {
  const id = newId('campaign')
  for (const state of campaignStates) {
    const campaign = { id, state, isUnderWay: false }
    for (const action of actions) {
      const refused = refusedIn(action, campaign)
      if (open[state].includes(action)) {
        assert.equal(refused, undefined, `${action} of a ${state} campaign`)
        continue
      }
      assert.ok(refused, `${action} of a ${state} campaign`)
      assert.equal(refused.code, 'conflict')
      assert.match(refused.message, new RegExp(`is ${state.replace('_', ' ')} `))
      const possible = possibleIn(campaign)
      assert.deepEqual(refused.details.data, {
        reason: 'not_in_this_state',
        status: state,
        possible,
      })
      for (const operation of possible) assert.ok(refused.message.includes(operation))
    }
  }
})

test('a campaign whose first recipient was taken cannot be taken back, and is copied instead', () => {
  const campaign = { id: newId('campaign'), state: 'paused', isUnderWay: true } as const
  assert.ok(!possibleIn(campaign).includes('campaign.unschedule'))
  const refused = refusedIn('unschedule', campaign)
  assert.equal(refused?.code, 'conflict')
  assert.match(refused.message, /is paused under way .*: its first recipients got it already/)
  assert.equal(refused.details.fix?.tool, 'campaign.copy')
})

test('a refusal for want of a draft names the call that leads to one', () => {
  const id = newId('campaign')
  const fixes = campaignStates.map((state) => {
    const refusals = (['save', 'unschedule'] as const).map((action) =>
      refusedIn(action, { id, state, isUnderWay: false }),
    )
    return [state, ...refusals.map((refused) => refused?.details.fix?.tool)]
  })
  assert.deepEqual(fixes, [
    ['draft', undefined, 'campaign.copy'],
    ['scheduled', 'campaign.unschedule', undefined],
    ['awaiting_approval', 'campaign.unschedule', undefined],
    ['deployed', 'campaign.copy', 'campaign.copy'],
    ['paused', 'campaign.unschedule', undefined],
    ['completed', 'campaign.copy', 'campaign.copy'],
    ['cancelled', 'campaign.copy', 'campaign.copy'],
  ])
})

test('an approval, which only a person can give in the app, is never listed as an operation', () => {
  for (const state of campaignStates) {
    assert.ok(!possibleIn({ state, isUnderWay: false }).includes('campaign.approve'))
  }
})
