/**
 * Typing in a long mail: a letter in one block renders no other. How long it takes to be seen depends
 * on the machine, so that the figure is printed and nothing more.
 */
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

test('in a mail of 60 blocks a letter renders its own block alone, and all that is typed is there', {
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
  await page.locator('.mail-block.is-chosen').waitFor()
  await page.evaluate(() => {
    const paints: number[] = []
    const renders = { own: 0, others: 0, watched: 0 }
    Object.assign(window, { typing: { paints, renders } })
    // React keeps the properties of an element at it, which are new ones after each render.
    const propsOf = (element: Element) => {
      const name = Object.keys(element).find((key) => key.startsWith('__reactProps$'))
      if (name === undefined) throw new Error('React keeps no properties at its elements')
      return (element as unknown as Record<string, unknown>)[name]
    }
    const watched = [...document.querySelectorAll('[data-block], li:has(> div > [draggable])')]
    const seen = new Map(watched.map((element) => [element, propsOf(element)]))
    const isOwn = (element: Element) => element.matches('.is-chosen, :has([aria-current])')
    renders.watched = watched.filter((element) => !isOwn(element)).length
    const count = () => {
      for (const [element, before] of seen) {
        const props = propsOf(element)
        if (props === before) continue
        seen.set(element, props)
        renders[isOwn(element) ? 'own' : 'others'] += 1
      }
    }
    addEventListener(
      'keydown',
      ({ timeStamp }) => {
        const channel = new MessageChannel()
        // The message comes after the frame in which the letter is drawn.
        channel.port1.onmessage = () => {
          paints.push(performance.now() - timeStamp)
          count()
        }
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
  type Typing = { paints: number[]; renders: { own: number; others: number; watched: number } }
  await page.waitForFunction(
    (length) => (window as unknown as { typing: Typing }).typing.paints.length === length,
    typed.length,
  )
  const { paints, renders } = await page.evaluate(
    () => (window as unknown as { typing: Typing }).typing,
  )
  const sorted = paints.toSorted((a, b) => a - b)
  const share = (of: number) => (sorted[Math.ceil(sorted.length * of) - 1] ?? 0).toFixed(0)
  t.diagnostic(
    `next paint after a letter in a mail of 60 blocks: p50 ${share(0.5)} ms, p95 ${share(0.95)} ms`,
  )
  // The other blocks of the mail, and of the list beside it.
  assert.equal(renders.watched, 2 * 59)
  assert.ok(renders.own > 0, 'a render is seen')
  assert.equal(renders.others, 0)
  const words = (await text.textContent())?.replaceAll('\u00a0', ' ')
  assert.ok(words?.includes(typed), words)
  await close()
})
