/**
 * The script that puts a form on another site: `<script src="…/f/frm_…/embed.js" async></script>`.
 *
 * Before a visitor acts it stores nothing and sets no cookie. The one key that it ever stores says
 * until when the form stays closed. What it draws is in a shadow root with a style sheet made by
 * script, so that the site's own styles and its policy change nothing; the site's policy must allow
 * this service in `script-src` and `frame-src`.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type EmbedSettings, embedLimits } from '../../../forms/form-page.ts'
import { html } from '../../../lib/text/html.ts'

/** A form as its script shows it. */
export interface EmbeddedForm {
  id: string
  /** The address of the form's page in a frame. */
  frameUrl: string
  title: string
  /** The label of the button that opens the form. */
  label: string
  close: string
  direction: 'ltr' | 'rtl'
  colour: string
  textColour: string
  /** Pixels that the form's page will need, so that the site moves little when it appears. */
  height: number
  /** Where the site's page goes once the form was sent. */
  goesTo: string | undefined
  show: NonNullable<EmbedSettings['show']>
  on: NonNullable<EmbedSettings['on']>
  afterSeconds: number
  scrollPercent: number
  quietDays: number
}

/** The settings with their defaults. */
export function embedOf(
  settings: EmbedSettings = {},
): Pick<EmbeddedForm, 'show' | 'on' | 'afterSeconds' | 'scrollPercent' | 'quietDays'> {
  return {
    show: settings.show ?? 'inline',
    on: settings.on ?? 'time',
    afterSeconds: settings.after_seconds ?? embedLimits.secondsBefore.usual,
    scrollPercent: settings.scroll_percent ?? embedLimits.scrollPercent.usual,
    quietDays: settings.quiet_days ?? embedLimits.quietDays.usual,
  }
}

/** Browsers keep the script for five minutes, so that a change is seen soon. */
export function sendEmbedScript(reply: FastifyReply, form: EmbeddedForm): FastifyReply {
  return sendScript(reply, `(${showForm.toString()})(${JSON.stringify(form)})\n`).header(
    'vary',
    'accept-language',
  )
}

/** For a form that takes no answers at the moment: the site shows nothing, and has no error. */
export function sendNoEmbed(reply: FastifyReply): FastifyReply {
  return sendScript(reply, '')
}

const framePath = '/f/frame.js'

/** The script of a form's page within the frame, which tells the site how high the page is. */
export const frameScriptTag = html`<script src="${framePath}" defer></script>`

export function registerFrameScript(scope: FastifyInstance): void {
  scope.get(framePath, (_request, reply) => sendScript(reply, `(${reportToSite.toString()})()\n`))
}

function sendScript(reply: FastifyReply, source: string): FastifyReply {
  return reply
    .headers({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    })
    .send(source)
}

/** What the page in the frame tells the site. */
type FrameMessage = { crier: 'height'; height: number } | { crier: 'sent' } | { crier: 'close' }

/** Runs in the frame: it has to stand alone, as its text is sent. */
function reportToSite(): void {
  const tell = (message: FrameMessage) => window.parent.postMessage(message, '*')
  const root = document.documentElement
  if (new URLSearchParams(window.location.search).get('theme') === 'light') {
    root.style.colorScheme = 'light'
  }
  const main = document.querySelector('main')
  if (main) {
    const measure = () => {
      const { bottom } = main.getBoundingClientRect()
      tell({ crier: 'height', height: Math.ceil(bottom + window.scrollY) })
    }
    new ResizeObserver(measure).observe(main)
    measure()
  }
  window.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') tell({ crier: 'close' })
  })
  if (document.querySelector('[data-sent]')) tell({ crier: 'sent' })
}

/** Runs on the site: it has to stand alone, as its text is sent. */
function showForm(form: EmbeddedForm): void {
  const script = document.currentScript
  const site = window as typeof window & { crierForms?: Set<string> }
  const shownForms = site.crierForms ?? new Set()
  site.crierForms = shownForms
  if (shownForms.has(form.id) && form.show !== 'inline') return
  shownForms.add(form.id)

  const storageKey = `crier-closed-until-${form.id}`
  const isQuiet = () => {
    try {
      return Number(window.localStorage.getItem(storageKey)) > Date.now()
    } catch {
      return false
    }
  }
  const stayQuiet = (days: number) => {
    try {
      window.localStorage.setItem(storageKey, String(Date.now() + days * 86_400_000))
    } catch {
      // A browser that blocks storage shows the form again on the next page.
    }
  }

  const styles = `
    * { box-sizing: border-box; margin: 0; font: 16px/1.4 system-ui, sans-serif; letter-spacing: 0; }
    iframe { display: block; width: 100%; border: 0; background: transparent; }
    button { cursor: pointer; border: 0; border-radius: 8px; padding: 10px 16px; min-height: 44px; font-weight: 600; }
    button:focus-visible { outline: 3px solid ${form.colour}; outline-offset: 2px; box-shadow: 0 0 0 2px #fff; }
    .open { background: ${form.colour}; color: ${form.textColour}; }
    .close { background: #fff; color: #1a1a1f; width: 44px; padding: 0; font-size: 22px; font-weight: 400; line-height: 1; }
    .corner { position: fixed; inset-block-end: 16px; inset-inline-end: 16px; z-index: 2147483000; box-shadow: 0 4px 16px #0004; }
    .bar { position: fixed; inset: auto 0 0; z-index: 2147483000; display: flex; align-items: center; justify-content: center; gap: 12px; padding: 10px 16px; background: #fff; color: #1a1a1f; box-shadow: 0 -2px 12px #0003; }
    .bar p { overflow-wrap: anywhere; }
    dialog { width: min(480px, calc(100vw - 24px)); max-height: min(680px, 85dvh); padding: 0; border: 0; border-radius: 12px; overflow: auto; background: #fff; color: #1a1a1f; box-shadow: 0 12px 48px #0006; margin: auto; }
    dialog::backdrop { background: #0007; }
    dialog .close { position: sticky; inset-block-start: 4px; display: block; margin-inline: auto 4px; margin-block: 4px -44px; z-index: 1; background: transparent; }
    @media (max-width: 600px) { dialog { margin: auto auto 12px; max-height: 75dvh; } }
  `

  /** An element of our own on the site, whose styles do not reach into it. */
  const makeRoot = (parent: Node, before: Node | null): ShadowRoot => {
    const host = document.createElement('div')
    host.style.setProperty('all', 'initial', 'important')
    host.style.setProperty('display', 'block', 'important')
    host.dir = form.direction
    const root = host.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(styles)
    root.adoptedStyleSheets = [sheet]
    parent.insertBefore(host, before)
    return root
  }

  const make = <K extends keyof HTMLElementTagNameMap>(
    name: K,
    { className = '', text = '' }: { className?: string; text?: string } = {},
  ): HTMLElementTagNameMap[K] => {
    const element = document.createElement(name)
    element.className = className
    element.textContent = text
    return element
  }

  const { colorScheme } = getComputedStyle(document.documentElement)
  const isDark = colorScheme.includes('dark')

  /** The address of the page in the frame, with what this page's own address says of its source. */
  const frameAddress = () => {
    const { origin, pathname, search, protocol } = window.location
    const address = new URL(form.frameUrl)
    address.searchParams.set('embed', '1')
    if (!isDark) address.searchParams.set('theme', 'light')
    if (protocol.startsWith('http')) address.searchParams.set('_source_url', origin + pathname)
    for (const [name, value] of new URLSearchParams(search)) {
      if (name.startsWith('utm_')) address.searchParams.set(name, value)
    }
    return address.href
  }

  const makeFrame = ({ onSent, onClose }: { onSent: () => void; onClose: () => void }) => {
    const frame = make('iframe')
    frame.title = form.title
    frame.style.height = `${form.height}px`
    frame.style.colorScheme = isDark ? 'light dark' : 'light'
    frame.src = frameAddress()
    const { origin } = new URL(form.frameUrl)
    window.addEventListener('message', (event) => {
      if (event.source !== frame.contentWindow || event.origin !== origin) return
      const message = event.data as FrameMessage
      if (message.crier === 'height') frame.style.height = `${Math.min(message.height, 4_000)}px`
      if (message.crier === 'close') onClose()
      if (message.crier !== 'sent') return
      onSent()
      if (form.goesTo !== undefined) window.location.assign(form.goesTo)
    })
    return frame
  }

  const showInline = () => {
    const placeholder = document.querySelector(`[data-crier-form="${form.id}"]:empty`)
    const parent = placeholder ?? script?.parentNode ?? document.body
    const root = makeRoot(parent, placeholder || !script ? null : script.nextSibling)
    root.append(makeFrame({ onSent: () => {}, onClose: () => {} }))
  }

  let sheet: ShadowRoot | undefined
  const ownRoot = () => {
    sheet ??= makeRoot(document.body, null)
    return sheet
  }
  let dialog: HTMLDialogElement | undefined
  const openDialog = () => {
    if (!dialog) {
      dialog = make('dialog')
      dialog.setAttribute('aria-label', form.title)
      const close = make('button', { className: 'close', text: '×' })
      close.type = 'button'
      close.setAttribute('aria-label', form.close)
      close.addEventListener('click', () => dialog?.close())
      dialog.append(
        close,
        makeFrame({ onSent: () => stayQuiet(365), onClose: () => dialog?.close() }),
      )
      dialog.addEventListener('close', () => {
        if (!isQuiet()) stayQuiet(form.quietDays)
      })
      ownRoot().append(dialog)
    }
    if (!dialog.open) dialog.showModal()
  }

  const makeOpener = (className: string) => {
    const opener = make('button', { className, text: form.label })
    opener.type = 'button'
    opener.addEventListener('click', openDialog)
    return opener
  }

  const showButton = () => ownRoot().append(makeOpener('open corner'))

  const showBar = () => {
    if (isQuiet()) return
    const bar = make('section', { className: 'bar' })
    bar.setAttribute('aria-label', form.title)
    const close = make('button', { className: 'close', text: '×' })
    close.type = 'button'
    close.setAttribute('aria-label', form.close)
    close.addEventListener('click', () => {
      stayQuiet(form.quietDays)
      bar.remove()
    })
    bar.append(make('p', { text: form.title }), makeOpener('open'), close)
    ownRoot().append(bar)
  }

  const showPopup = () => {
    if (isQuiet()) return
    const stop = new AbortController()
    const open = () => {
      // Never over another dialog, nor over what somebody is typing.
      const { activeElement } = document
      const isTyping = activeElement?.matches('input, textarea, select, [contenteditable]') ?? false
      if (isTyping || document.querySelector('dialog[open], [aria-modal="true"]')) return
      stop.abort()
      openDialog()
    }
    const arm = () => {
      if (form.on === 'time') {
        open()
        const timer = setInterval(open, 5_000)
        stop.signal.addEventListener('abort', () => clearInterval(timer))
        if (stop.signal.aborted) clearInterval(timer)
        return
      }
      const listening = { signal: stop.signal, passive: true }
      if (form.on === 'scroll') {
        const look = () => {
          const { scrollHeight, clientHeight } = document.documentElement
          const way = scrollHeight - clientHeight
          if (way > 0 && (window.scrollY / way) * 100 >= form.scrollPercent) open()
        }
        window.addEventListener('scroll', look, listening)
        look()
        return
      }
      if (!window.matchMedia('(hover: hover) and (pointer: fine)').matches) return
      const leaves = (event: MouseEvent) => {
        if (event.relatedTarget === null && event.clientY <= 0) open()
      }
      document.addEventListener('mouseout', leaves, listening)
    }
    setTimeout(arm, (form.on === 'time' ? Math.max(5, form.afterSeconds) : 5) * 1_000)
  }

  const start = () => {
    if (form.show === 'inline') showInline()
    if (form.show === 'button') showButton()
    if (form.show === 'bar') showBar()
    if (form.show === 'popup') showPopup()
  }
  const whenReady = () => {
    if (document.body) start()
    else document.addEventListener('DOMContentLoaded', start, { once: true })
  }
  // A consent manager lets it begin: dispatchEvent(new Event('crier:start')).
  if (script?.hasAttribute('data-wait')) {
    window.addEventListener('crier:start', whenReady, { once: true })
  } else whenReady()
}
