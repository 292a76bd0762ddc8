/** Typing in a long mail: how long a letter takes to be seen. The figure is printed. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { campaignScene } from '../../support/businesses/campaigns.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { type AppBench, openAppBench, visitApp } from './app.ts'

const skip = withoutBrowser

let bench: AppBench
before(async () => {
  if (!skip) bench = await openAppBench()
})
after(() => bench?.close())

test('in a mail of 60 blocks each letter is drawn, and what is typed is saved whole', {
  skip,
}, async (t) => {
  const scene = await campaignScene(bench.testbed)
  const blocks = Array.from({ length: 60 }, (_, n) => {
    const kinds = ['text', 'heading', 'text', 'list', 'button', 'quote']
    const type = kinds[n % kinds.length]
    if (type === 'list') return { type, items: [`Entry ${n}`, 'Another'] }
    if (type === 'button') return { type, text: `Button ${n}`, url: 'https://shop.example' }
    return { type, text: `Some words of **block** ${n}, {{ contact.name | default: "you" }}` }
  })
  const { campaign_id } = await scene.draft({ content: { subject: 'Long', blocks }, name: 'Long' })
  const path = `/campaigns/${campaign_id}?step=what`
  const { page, close } = await visitApp(bench, { businesses: [scene.businessId], path })
  const text = page.getByRole('textbox', { name: 'Text, 31 of 60', exact: true })
  // At its first words: in the middle is a chip, which opens.
  await text.click({ position: { x: 4, y: 10 } })
  await page.keyboard.press('End')
  await page.evaluate(() => {
    const paints: number[] = []
    Object.assign(window, { paints })
    addEventListener(
      'keydown',
      ({ timeStamp }) => {
        const channel = new MessageChannel()
        // The message comes after the frame in which the letter is drawn.
        channel.port1.onmessage = () => paints.push(performance.now() - timeStamp)
        requestAnimationFrame(() => channel.port2.postMessage(undefined))
      },
      true,
    )
  })
  const typed = ' The quick brown fox jumps over the lazy dog, and then over it again.'
  for (const sign of typed) {
    await page.keyboard.press(sign === ' ' ? 'Space' : sign)
    await page.waitForTimeout(30)
  }
  const paints = await page.evaluate(() => (window as unknown as { paints: number[] }).paints)
  const sorted = paints.toSorted((a, b) => a - b)
  const share = (of: number) => (sorted[Math.ceil(sorted.length * of) - 1] ?? 0).toFixed(0)
  t.diagnostic(
    `next paint after a letter in a mail of 60 blocks: p50 ${share(0.5)} ms, p95 ${share(0.95)} ms`,
  )
  assert.equal(sorted.length, typed.length)
  const said = (await text.textContent())?.replaceAll('\u00a0', ' ')
  assert.ok(said?.includes(typed), said)
  await close()
})
