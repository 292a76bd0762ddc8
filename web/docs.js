/**
 * What a page of the documentation does beyond its text: samples of one call become tabs that remember
 * the language, code can be copied, and the search answers while one types. Without it, samples stand
 * one below the other and the search is a page of the service.
 */
{
  const script = document.currentScript
  const folder = script.src.slice(0, script.src.lastIndexOf('/') + 1)
  const remembered = 'crier-docs-language'

  const make = (name, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(name), properties)
    element.append(...children)
    return element
  }

  const stored = () => {
    try {
      return localStorage.getItem(remembered)
    } catch {
      return null
    }
  }

  const store = (language) => {
    try {
      localStorage.setItem(remembered, language)
    } catch {
      // Without storage the choice holds for this page.
    }
  }

  // Tabs (WAI-ARIA APG: arrows move and choose).
  const groups = [...document.querySelectorAll('.samples')].map((group, number) => {
    const figures = [...group.querySelectorAll('figure')]
    const list = make('div', { className: 'tabs' })
    list.setAttribute('role', 'tablist')
    list.setAttribute('aria-label', 'Language of the sample')
    const tabs = figures.map((figure, at) => {
      const caption = figure.querySelector('figcaption')
      const tab = make('button', { type: 'button', id: `tab-${number}-${at}` }, caption.textContent)
      tab.setAttribute('role', 'tab')
      const panel = figure.querySelector('pre')
      panel.id = `sample-${number}-${at}`
      panel.setAttribute('role', 'tabpanel')
      panel.setAttribute('aria-labelledby', tab.id)
      tab.setAttribute('aria-controls', panel.id)
      caption.hidden = true
      tab.addEventListener('click', () => choose(figure.dataset.language))
      return tab
    })
    list.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
      if (step === undefined) return
      const at = tabs.indexOf(document.activeElement)
      const next = (at + step + tabs.length) % tabs.length
      choose(figures[next].dataset.language)
      tabs[next].focus()
      event.preventDefault()
    })
    list.append(...tabs)
    group.prepend(list)
    const show = (language) => {
      const wanted = figures.findIndex((figure) => figure.dataset.language === language)
      const shown = Math.max(wanted, 0)
      figures.forEach((figure, at) => {
        figure.hidden = at !== shown
        tabs[at].setAttribute('aria-selected', String(at === shown))
        tabs[at].tabIndex = at === shown ? 0 : -1
      })
    }
    show(stored())
    return { show, list }
  })

  /** Shows a language in all groups; the tabs that were pressed stay where they are on the screen. */
  const choose = (language) => {
    const pressed = groups.find(({ list }) => list.contains(document.activeElement))
    const before = pressed?.list.getBoundingClientRect().top ?? 0
    store(language)
    for (const { show } of groups) show(language)
    if (pressed) scrollBy(0, pressed.list.getBoundingClientRect().top - before)
  }

  for (const figure of document.querySelectorAll('figure.code')) {
    const copy = make('button', { type: 'button', className: 'copy' }, 'Copy')
    copy.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(figure.querySelector('code').textContent)
        copy.textContent = 'Copied'
      } catch {
        copy.textContent = 'Press Ctrl+C'
        getSelection().selectAllChildren(figure.querySelector('code'))
      }
      setTimeout(() => {
        copy.textContent = 'Copy'
      }, 2000)
    })
    figure.append(copy)
  }

  // A sample in curl that calls the service of this page can be run here, by whoever is signed in to
  // the app: with their session, after they have seen what is sent.
  const callOf = (text) => {
    const words = text.replaceAll('"', ' ').split(/\s+/)
    const address = words.find((word) => word.startsWith('http'))
    const isOne = words.filter((word) => word === 'curl').length === 1
    if (!isOne || !address?.startsWith(`${location.origin}/v1/`) || address.includes('$')) return
    // The browser does not have the file.
    if (words.includes('--data-binary')) return
    const after = (...flags) => words[words.findIndex((word) => flags.includes(word)) + 1]
    const isGet = !words.includes('-X') && !words.includes('--request')
    const body = text.split(" -d '")[1] ?? text.split(" --data '")[1]
    return {
      method: isGet ? 'GET' : after('-X', '--request'),
      path: address.slice(location.origin.length),
      body: body?.slice(0, body.lastIndexOf("'")),
    }
  }

  const labelled = (words, field) => make('label', {}, make('span', {}, words), field)

  const panelFor = async ({ method, path, body }) => {
    const answer = await fetch('/v1/businesses')
    if (!answer.ok) {
      const link = make('a', { href: '/b' }, 'Sign in to the app')
      return make('p', { className: 'run-panel' }, link, ' on this service to run samples.')
    }
    const { businesses } = await answer.json()
    const business = make(
      'select',
      {},
      ...businesses.map(({ business_id, name }) => make('option', { value: business_id }, name)),
    )
    const target = make('input', { value: path, spellcheck: false })
    const content = make('textarea', { value: body ?? '', rows: 6, spellcheck: false })
    const send = make('button', { type: 'submit' }, 'Send')
    const output = make('pre', { tabIndex: 0, hidden: true }, make('code'))
    output.setAttribute('role', 'status')
    const panel = make('form', { className: 'run-panel' })
    if (businesses.length > 1) panel.append(labelled('Business', business))
    panel.append(labelled(`${method} to`, target))
    if (body !== undefined) panel.append(labelled('Body', content))
    if (method !== 'GET') {
      panel.append(make('p', {}, 'This is done for real, in your business and in your name.'))
    }
    panel.append(send, output)
    panel.addEventListener('submit', async (event) => {
      event.preventDefault()
      send.disabled = true
      output.hidden = false
      output.firstChild.textContent = await answerTo(method, target.value, {
        text: body === undefined ? undefined : content.value,
        business_id: businesses.length > 1 ? business.value : undefined,
      })
      send.disabled = false
    })
    return panel
  }

  /** Status and body of the answer, or why there is none. */
  const answerTo = async (method, path, { text, business_id }) => {
    try {
      const url = new URL(path, location.origin)
      if (url.origin !== location.origin) return 'This page calls its own service alone.'
      const inAddress = business_id !== undefined && text === undefined
      if (inAddress) url.searchParams.set('business_id', business_id)
      const body =
        text && JSON.stringify({ ...(business_id && { business_id }), ...JSON.parse(text) })
      const headers = body ? { 'content-type': 'application/json' } : {}
      const answer = await fetch(url, { method, headers, body })
      const said = await answer.text()
      try {
        return `${answer.status}\n${JSON.stringify(JSON.parse(said), null, 2)}`
      } catch {
        return `${answer.status}\n${said}`
      }
    } catch (error) {
      return String(error)
    }
  }

  for (const figure of document.querySelectorAll('figure.code[data-language="curl"]')) {
    const call = callOf(figure.querySelector('code').textContent)
    if (!call) continue
    const run = make('button', { type: 'button', className: 'copy run' }, 'Run')
    run.addEventListener('click', async () => {
      run.disabled = true
      const panel = await panelFor(call).catch(() => undefined)
      run.disabled = false
      if (!panel) return
      run.hidden = true
      figure.append(panel)
      panel.querySelector('select, input, a')?.focus()
    })
    figure.append(run)
  }

  // The search: a combobox whose list is made from the index, which is loaded at the first focus.
  const form = document.querySelector('.docs-search')
  const field = form.querySelector('input')
  const list = make('ul', { className: 'hits', id: 'hits', hidden: true })
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', 'Found pages')
  form.append(list)
  field.setAttribute('role', 'combobox')
  field.setAttribute('aria-controls', list.id)
  field.setAttribute('aria-expanded', 'false')
  field.setAttribute('aria-autocomplete', 'list')
  const most = 8
  let loading
  let active = -1

  const load = () => {
    loading ??= Promise.all([
      fetch(`${form.action}.json`).then((answer) => answer.text()),
      import(`${folder}minisearch.js`),
      import(`${folder}ranking.js`),
    ]).then(([text, { default: MiniSearch }, { hitsOf, indexOptions }]) => {
      const index = MiniSearch.loadJSON(text, indexOptions)
      return (words) => hitsOf(index, words, most)
    })
    // A failed load leaves the form, which asks the service.
    loading.catch(() => {
      loading = undefined
    })
    return loading
  }

  const close = () => {
    list.hidden = true
    active = -1
    field.setAttribute('aria-expanded', 'false')
    field.removeAttribute('aria-activedescendant')
  }

  const mark = (at) => {
    const hits = [...list.children]
    active = hits.length === 0 ? -1 : (at + hits.length) % hits.length
    for (const hit of hits) hit.setAttribute('aria-selected', String(hit === hits[active]))
    if (active >= 0) {
      field.setAttribute('aria-activedescendant', hits[active].id)
      hits[active].scrollIntoView({ block: 'nearest' })
    }
  }

  const show = async () => {
    const words = field.value.trim()
    if (words === '') return close()
    const search = await load().catch(() => undefined)
    if (!search || field.value.trim() !== words) return
    const hits = search(words)
    list.replaceChildren(
      ...hits.map((hit, at) => {
        const title = hit.heading === '' ? hit.title : `${hit.title} › ${hit.heading}`
        const about = make('span', { className: 'small' }, hit.about)
        const item = make('li', { id: `hit-${at}` }, make('strong', {}, title), about)
        item.setAttribute('role', 'option')
        item.setAttribute('aria-selected', 'false')
        item.addEventListener('mousedown', (event) => event.preventDefault())
        item.addEventListener('click', () => location.assign(hit.url))
        return item
      }),
    )
    active = -1
    list.hidden = hits.length === 0
    field.setAttribute('aria-expanded', String(hits.length > 0))
  }

  field.addEventListener('focus', load, { once: true })
  field.addEventListener('input', () => void show())
  field.addEventListener('blur', close)
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close()
    if (list.hidden) return
    if (event.key === 'ArrowDown') mark(active + 1)
    else if (event.key === 'ArrowUp') mark(active - 1)
    else if (event.key === 'Enter' && active >= 0) list.children[active].click()
    else return
    event.preventDefault()
  })
  document.addEventListener('keydown', (event) => {
    const typing = /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey) return
    field.focus()
    event.preventDefault()
  })
}
