/** A person without a mouse: everything is reached by Tab, and used by keys. */
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** More steps than any page has. */
const mostSteps = 250

/** Dialogs and drawers. The messages in the corner have that role as well, within their region. */
export const dialogsOf = (page: Page) => page.locator('[role=dialog]:not([role=region] *)')

export interface Keys {
  /** Presses Tab until the element has the focus. */
  reach(target: Locator): Promise<void>
  /** Reaches a button or link and presses Enter. */
  press(target: Locator): Promise<void>
  /** Reaches a field and types in place of what it holds. */
  type(target: Locator, text: string): Promise<void>
  /** Reaches a checkbox and checks it, or reaches a radio button through its group. */
  check(target: Locator): Promise<void>
  /** Reaches a select and moves to the option of this value. */
  choose(target: Locator, value: string): Promise<void>
  /** Presses keys one after another, such as a shortcut. */
  keys(...names: string[]): Promise<void>
}

export function keysOf(page: Page): Keys {
  const { keyboard } = page
  const hasFocus = (target: Locator) => target.evaluate((node) => node === document.activeElement)
  const reach = async (target: Locator, isThere = () => hasFocus(target)) => {
    await target.waitFor()
    for (let step = 0; step < mostSteps; step++) {
      if (await isThere()) return
      await keyboard.press('Tab')
    }
    assert.fail(`${target.toString()} is not reached by keyboard on ${page.url()}`)
  }
  return {
    reach,
    async press(target) {
      await reach(target)
      await keyboard.press('Enter')
    },
    async type(target, text) {
      await reach(target)
      await keyboard.press('ControlOrMeta+a')
      await keyboard.insertText(text)
    },
    async check(target) {
      const group = await target.getAttribute('name')
      const isRadio = (await target.getAttribute('type')) === 'radio'
      if (!isRadio) {
        await reach(target)
        if (!(await target.isChecked())) await keyboard.press('Space')
        return
      }
      await reach(target, () =>
        page.evaluate((name) => document.activeElement?.getAttribute('name') === name, group),
      )
      if (!(await target.isChecked())) await keyboard.press('Space')
      for (let step = 0; step < 20 && !(await target.isChecked()); step++) {
        await keyboard.press('ArrowDown')
      }
      assert.ok(await target.isChecked(), `${target.toString()} is chosen by the arrow keys`)
    },
    async choose(target, value) {
      await reach(target)
      await keyboard.press('Home')
      for (let step = 0; step < 100 && (await target.inputValue()) !== value; step++) {
        await keyboard.press('ArrowDown')
      }
      assert.equal(await target.inputValue(), value, `${target.toString()} offers ${value}`)
    },
    async keys(...names) {
      for (const name of names) await keyboard.press(name)
    },
  }
}
