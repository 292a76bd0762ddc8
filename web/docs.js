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
