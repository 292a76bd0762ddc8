/** Words that are written in the mail itself: marks, chips, `/`, one history, and what is pasted. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { campaignScene } from '../../support/businesses/campaigns.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { type AppBench, openAppBench, visitApp } from './app.ts'
import { generatedPieces, pastedPieces } from './pasted-pieces.ts'
import { assertValue } from './settled.ts'

const skip = withoutBrowser

let bench: AppBench
before(async () => {
  if (!skip) bench = await openAppBench()
})
after(() => bench?.close())

interface Block {
  type: string
  text?: string
}

async function open(blocks: Block[]) {
  const scene = await campaignScene(bench.testbed)
  await scene.owner.get('contact.upsert', {
    email: 'ana@example.com',
    attributes: { city: 'Lyon' },
  })
  const { campaign_id } = await scene.draft({ content: { subject: 'News', blocks }, name: 'News' })
  const path = `/campaigns/${campaign_id}?step=what`
  const visit = await visitApp(bench, { businesses: [scene.businessId], path })
  return {
    ...visit,
    words: (name: string) => visit.page.getByRole('textbox', { name, exact: true }),
    async saved() {
      await visit.page.getByRole('button', { name: 'Save', exact: true }).click()
      await visit.page.getByText('Draft saved').waitFor()
      type Got = { variants: { content: { subject: string; blocks: Block[] } }[] }
      const got = await scene.owner.get<Got>('campaign.get', { campaign_id, content: true })
      return got.variants[0]?.content
    },
  }
}

const all = 'ControlOrMeta+a'

test('words are marked by keys, linked, and given fields; what is typed as Liquid becomes a chip', {
  skip,
}, async () => {
  const { page, words, saved, complaints, close } = await open([{ type: 'text', text: 'Hello' }])
  const { keyboard } = page
  const text = words('Text, 1 of 1')
  await text.click()
  await keyboard.press(all)
  for (const key of ['b', 'u']) await keyboard.press(`ControlOrMeta+${key}`)
  await text.locator('strong u, u strong').waitFor()
  await keyboard.press('End')
  await keyboard.press('ControlOrMeta+b')
  await keyboard.press('ControlOrMeta+u')
  await keyboard.type(' {{ contact.email | default: "you" }}, see our menu')
  await text.getByText('Email address (or “you”)').waitFor()
  for (let count = 0; count < 'our menu'.length; count++) await keyboard.press('Shift+ArrowLeft')
  await keyboard.press('ControlOrMeta+k')
  const dialog = page.getByRole('dialog', { name: 'Link' })
  await dialog.getByLabel('Link to').fill('shop.example/menu')
  await keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await text.and(page.locator(':focus')).waitFor()
  await keyboard.press('End')
  await keyboard.press('Enter')
  await page.getByRole('toolbar').getByRole('button', { name: 'Field' }).first().click()
  await page.getByRole('menuitem', { name: 'city 1 contacts' }).click()
  await text.getByText('city', { exact: true }).click()
  await page.getByRole('dialog', { name: 'city' }).getByLabel('Fallback').fill('here')
  await keyboard.press('Enter')
  await text.getByText('city (or “here”)').waitFor()
  // As it closes, it gives the focus back to the mail.
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const subject = page.getByLabel('Subject')
  await subject.press('End')
  await keyboard.type(' for ')
  await page.getByRole('button', { name: 'Field' }).first().press('Enter')
  await page.getByRole('menuitem', { name: 'First name' }).press('Enter')
  await subject.getByText('First name (or “there”)').waitFor()
  const content = await saved()
  assert.equal(content?.subject, 'News for {{ contact.first_name | default: "there" }}')
  assert.equal(
    content?.blocks[0]?.text,
    '[**Hello**]{u} {{ contact.email | default: "you" }}, see [our menu](https://shop.example/menu)\n\n{{ contact.attributes.city | default: "here" }}',
  )
  await page.getByRole('link', { name: 'Campaigns' }).first().click()
  await page.getByText('News for First name').waitFor()
  assert.doesNotMatch((await page.locator('main').textContent()) ?? '', /[{}]/)
  assert.deepEqual(complaints, [])
  await close()
})

test('a slash on an empty line makes a block between what is before and after it', {
  skip,
}, async () => {
  const { page, words, saved, close } = await open([{ type: 'text', text: 'Before\n\nAfter' }])
  const { keyboard } = page
  await words('Text, 1 of 1').getByText('Before').click()
  await keyboard.press('End')
  await keyboard.press('Enter')
  await keyboard.type('/')
  await page.getByRole('menuitem', { name: 'Quote' }).waitFor()
  await keyboard.press('Escape')
  await words('Text, 1 of 1').getByText('/', { exact: true }).waitFor()
  await keyboard.press('Backspace')
  await keyboard.type('/')
  await page.getByRole('menuitem', { name: 'Quote' }).click()
  await words('Quote, 2 of 3').and(page.locator(':focus')).waitFor()
  await keyboard.press(all)
  await keyboard.type('Said')
  const content = await saved()
  assert.deepEqual(
    content?.blocks.map(({ type, text }) => [type, text]),
    [
      ['text', 'Before'],
      ['quote', 'Said'],
      ['text', 'After'],
    ],
  )
  await close()
})

test('one history undoes typing, the subject, moved and deleted blocks in their order', {
  skip,
}, async () => {
  const blocks = [
    { type: 'heading', text: 'One' },
    { type: 'text', text: 'Two' },
  ]
  const { page, words, saved, close } = await open(blocks)
  const { keyboard } = page
  await words('Text, 2 of 2').click()
  await keyboard.press('End')
  await keyboard.type(' more')
  await page.getByLabel('Subject').fill('Spring')
  await page.getByRole('button', { name: 'Move Two more, 2 of 2' }).press('ArrowUp')
  await words('Text, 1 of 2').waitFor()
  await words('Heading, 2 of 2').click()
  await page.getByRole('button', { name: 'Delete Heading' }).click()
  await words('Text, 1 of 1').waitFor()
  const undone = (name: string) => page.getByText(name, { exact: true }).waitFor()
  await keyboard.press('ControlOrMeta+z')
  await undone('Undone: block deleted')
  await words('Heading, 2 of 2').getByText('One').waitFor()
  await keyboard.press('ControlOrMeta+z')
  await undone('Undone: block moved')
  await words('Heading, 1 of 2').waitFor()
  await page.getByLabel('Subject').focus()
  await keyboard.press('ControlOrMeta+z')
  await undone('Undone: subject')
  await assertValue(page.getByLabel('Subject'), 'News')
  await keyboard.press('ControlOrMeta+z')
  await undone('Undone: typing')
  await words('Text, 2 of 2').getByText('Two', { exact: true }).waitFor()
  for (let count = 0; count < 3; count++) await keyboard.press('ControlOrMeta+Shift+z')
  await undone('Redone: block moved')
  const content = await saved()
  assert.equal(content?.subject, 'Spring')
  assert.deepEqual(content?.blocks, [{ type: 'text', text: 'Two more' }, blocks[0]])
  await close()
})

/** Pastes into the text that has the focus, as a browser does. */
const paste = (page: Page, html: string) =>
  page.evaluate((given) => {
    const data = new DataTransfer()
    data.setData('text/html', given)
    data.setData('text/plain', 'not this')
    const event = new ClipboardEvent('paste', {
      bubbles: true,
      cancelable: true,
      clipboardData: data,
    })
    document.activeElement?.dispatchEvent(event)
  }, html)

test('what is pasted keeps its words and the marks of a mail, and nothing else', {
  skip,
}, async () => {
  const blocks = pastedPieces.map(() => ({ type: 'text', text: 'x' }))
  const { page, words, saved, complaints, close } = await open(blocks)
  for (const [n, { html }] of pastedPieces.entries()) {
    await words(`Text, ${n + 1} of ${blocks.length}`).focus()
    await page.keyboard.press(all)
    await paste(page, html)
  }
  const content = await saved()
  assert.deepEqual(
    pastedPieces.map(({ from }, n) => [from, content?.blocks[n]?.text]),
    pastedPieces.map(({ from, is }) => [from, is]),
  )
  assert.ok(pastedPieces.length >= 30)
  assert.deepEqual(complaints, [])
  await close()
})

test('of each shape of Word, Docs, Outlook and pages, every word is pasted with its marks, and no style or script', {
  skip,
}, async (t) => {
  const pieces = generatedPieces()
  const { page, words, complaints, close } = await open([{ type: 'text', text: 'x' }])
  await words('Text, 1 of 1').focus()
  const pasted: { html: string; marks: Record<string, string> }[] = []
  for (const { html, words: expected } of pieces) {
    await page.keyboard.press(all)
    await paste(page, html)
    pasted.push(await words('Text, 1 of 1').evaluate(wordsWithMarks, [...expected.keys()]))
  }
  for (const [n, { from, words: expected }] of pieces.entries()) {
    const { html, marks } = pasted[n] as (typeof pasted)[number]
    assert.deepEqual(marks, Object.fromEntries(expected), `${from}: ${html}`)
    assert.doesNotMatch(
      html,
      /style|script|lost|onclick|font|<(?!\/?(?:p|br|strong|em|u|a)\b)/i,
      from,
    )
  }
  t.diagnostic(`${pieces.length} pieces`)
  assert.ok(pieces.length >= 300)
  assert.deepEqual(complaints, [])
  await close()
})

/** Runs in the page: the marks of each word that is there exactly once. */
function wordsWithMarks(editor: HTMLElement | SVGElement, names: string[]) {
  const marks: Record<string, string> = {}
  const walker = document.createTreeWalker(editor, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const name of names.filter((word) => node?.textContent?.includes(word))) {
      const around: string[] = []
      for (let above = node.parentElement; above && above !== editor; above = above.parentElement) {
        if (above.tagName !== 'P') around.push(above.tagName.toLowerCase())
      }
      marks[name] = name in marks ? 'twice' : around.sort().join(' ')
    }
  }
  // What the editor itself puts on its elements is no style of the words.
  const html = editor.innerHTML.replaceAll(/ (?:class|rel|target|contenteditable)="[^"]*"/g, '')
  return { html, marks }
}
