import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contactHostsIn, filledInHost, personalHostsIn, textsIn } from './personal-hosts.ts'

test('an address that is filled in for each recipient is found with its host', () => {
  const found: [string, string[]][] = [
    ['<img src="https://pix.example/a.gif?m={{contact.email}}">', ['pix.example']],
    ['<a href="https://Shop.example/{% if contact.name %}x{% endif %}">', ['shop.example']],
    ['<a href="//pix.example/?{{ contact.phone }}">', ['pix.example']],
    ['<a href="https://{{ contact.first_name }}.pix.example">', [filledInHost]],
    ["{% assign url = 'https://pix.example/?' | append: contact.email %}", ['pix.example']],
    ['see https://pix.example/{{ contact.email }} now', ['pix.example']],
    ['<a href="https://shop.example/news">{{ contact.name }}</a>', []],
    ['<a href="{{ unsubscribe_url }}">', []],
    ['https://shop.example/ and {{ contact.name }}', []],
    ['<img src="https:\\\\pix.example/?{{ contact.email }}">', ['pix.example']],
    ['<img src="https:&#47;&#x2f;pix.example/?{{ contact.email }}">', ['pix.example']],
    ['<img src="https:/\n/pix.example/?{{ contact.email }}">', ['pix.example']],
    ['<img src="https:pix.example/?{{ contact.email }}">', ['pix.example']],
    ['<img src="https://pix.example/? m={{ contact.email }}">', ['pix.example']],
    ['<img src="https://shop.example@pix.example/{{ contact.email }}">', ['pix.example']],
    ['see www.pix.example/?{{ contact.email }}', ['www.pix.example']],
    ['<img src= "https://pix.example/? {{ contact.email }}">', ['pix.example']],
    ['<img src="https://shop.example:x@pix.example/?{{ contact.email }}">', ['pix.example']],
    ['<a href="https://Shop.example:8443/?{{ contact.name }}">', ['shop.example']],
    ['<img src="https://pix.example&quest;.shop.example/{{ contact.name }}">', [filledInHost]],
    ['<p title="a">Hello {{ contact.name }}</p><a href="https://shop.example">Shop</a>', []],
    ['Mail anna@shop.example, {{ contact.name }}', []],
    ['<base href="https://pix.example/"><img src="a?m={{ contact.email }}">', ['pix.example']],
    ['<a href="/{{ contact.name }}">A</a><BASE target=x HREF=//pix.example>', ['pix.example']],
    ['<base href="{{ host }}"><a href="a?{{ contact.name }}">A</a>', [filledInHost]],
    ['<base href="https://pix.example/"><a href="a">{{ contact.name }}</a>', []],
    ['<base target="_blank"><a href="a?{{ contact.name }}">A</a>', []],
    ['<base title=">" href="//pix.example"><a href="a?{{ contact.name }}">A</a>', ['pix.example']],
    ['<base x\' a=\'>\' href="//pix.example"><a href="a?{{ code }}">A</a>', [filledInHost]],
    [
      '<base href="//pix.example"><a href="?u=//own.example/&n={{ code }}">A</a>',
      ['own.example', 'pix.example'],
    ],
    ['<base href="//pix.example"><a href="https://own.example/{{ code }}">A</a>', ['own.example']],
    ['<base href="//pix.example"><a href=https://own.example/{{ code }}>A</a>', ['own.example']],
    ['<base href="//pix.example"><style>p{background:url({{ code }})}</style>', ['pix.example']],
    ['<base href="//pix.example"><style>p{background:url("{{ code }}")}</style>', ['pix.example']],
    ['<base href="//pix.example"><p style="background:url({{ code }})">A</p>', ['pix.example']],
  ]
  for (const [text, hosts] of found) assert.deepEqual(personalHostsIn(text), hosts, text)
})

test('what is an address by its name is read to its end', () => {
  const blocks = [{ type: 'image', src: 'https://pix.example/? m={{ contact.email }}', alt: 'A' }]
  assert.deepEqual(textsIn(blocks).flatMap(personalHostsIn), ['pix.example'])
})

test('a text of slashes takes linear time', () => {
  for (const part of ['/', '<base', '{{', '="', 'a.', 'https:', '&#47;', '{{ x }}', '\n/']) {
    personalHostsIn(`${part.repeat(100_000)}{{ contact.name }}`)
  }
})

test('an address with a field of the contact in it is told from one with a value of the call', () => {
  const found: [string, string[]][] = [
    ['<img src="https://pix.example/a.gif?m={{contact.email}}">', ['pix.example']],
    ['see https://pix.example/{{ code }}?m={{ contact.attributes.plan }} now', ['pix.example']],
    ['<a href="{{ link }}{{ contact.email }}">', [filledInHost]],
    ['<a href="https://{{ contact.first_name }}.pix.example">', [filledInHost]],
    ['{% assign c = contact %}<a href="https://pix.example/{{ c.email }}">', ['pix.example']],
    ['{% capture u %}https://pix.example/{{ contact.email }}{% endcapture %}', ['pix.example']],
    [
      '{% capture x %}{{ contact.email }}{% endcapture %}<img src="https://pix.example/?m={{ x }}">',
      ['pix.example'],
    ],
    ['<img src="{{ "https://pix.example/?" | append: contact.email }}">', ['pix.example']],
    ['<a href={{ link }}/{{ contact.name }}>', [filledInHost]],
    ['<base href="https://pix.example/"><img src="a?m={{ contact.email }}">', ['pix.example']],
    ['<base href="https://pix.example/"><img src="a?m={{ code }}">', []],
    ['<a href = "{{ link }}/{{ contact.name }}">', [filledInHost]],
    ['see {{ link }}?m={{ contact.email }}', [filledInHost]],
    ['see {{ link }}/u/{{ contact.email }}', [filledInHost]],
    ['see {{ link }}{{ contact.email }}', [filledInHost]],
    [
      '{% capture x %}{{ contact.email }}{% endcapture %}<img src="https://pix.example/{% echo x %}">',
      ['pix.example'],
    ],
    ['{% capture x %}{{ contact.name }}{% endcapture %}<a href="{{ unsubscribe_url }}">', []],
    [
      '{% capture view_url %}{{ contact.name }}{% endcapture %}<a href="{{ view_url }}">',
      [filledInHost],
    ],
    ['{{ title }}={{ contact.last_name }}', []],
    ['{{ salutation }},{{ contact.name }}', []],
    ['<p>{{ title }}/{{ contact.last_name }}</p>', []],
    ['Dear {{ contact.name }}, see https://post.example/{{ code }} and {{ link }}', []],
    ['<a href="https://shop.example/news">{{ contact.name }}</a>', []],
    ['<a href="{{ unsubscribe_url }}">contact</a>', []],
    ['{{ greeting }} {{ contact.name }}', []],
    ['https://shop.example/{{ code }}, our contact', []],
  ]
  for (const [text, hosts] of found) assert.deepEqual(contactHostsIn(text), hosts, text)
  contactHostsIn(`contact${'{{ x'.repeat(50_000)}`)
  contactHostsIn(`contact${'{{ view_url }}'.repeat(50_000)}`)
  contactHostsIn(`contact${'//'.repeat(100_000)}{{ contact.email }}`)
})
