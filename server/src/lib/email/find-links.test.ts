import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '../../../../tests/support/processes/cpu-time.ts'
import { findImages, findLinks, findTextLinks } from './find-links.ts'

const urlsIn = (text: string) => findTextLinks(text).map(({ url }) => url)

test('a URL in plain text ends where the sentence around it goes on', () => {
  const a = 'https://example.com/a'
  const cases: [text: string, ...urls: string[]][] = [
    // Scripts without spaces between words, and their punctuation.
    [`詳細は${a}をご覧ください。`, a],
    [`请访问${a}。谢谢`, a],
    [`자세히는${a}에서 보세요`, a],
    [`ดูที่${a}นะ`, a],
    [`「${a}」を見る`, a],
    [`（${a}）`, a],
    [`《${a}》、【${a}】`, a, a],
    [`${a}！${a}？${a}，`, a, a, a],
    ['https://example.comをご覧ください', 'https://example.com'],
    ['http://127.0.0.1:8080へ', 'http://127.0.0.1:8080'],
    // Quotes, dashes, ellipses and what nobody sees.
    [`“${a}” „${a}“ «${a}» ‘${a}’ ‹${a}›`, a, a, a, a, a],
    [`${a}’s ${a}… ${a}—next ${a}–next`, a, a, a, a],
    [`${a}؟ ${a}، ${a}۔ ${a}।`, a, a, a, a],
    [`${a}\u200b next ${a}\u200f ${a}\u00a0b ${a}\ufeff ${a}\u2028b`, a, a, a, a, a],
    [`${a}🎉 ${a}→ ${a}™`, a, a, a],
    [`"${a}" '${a}' '${a}'s \`${a}\``, a, a, a, a],
    [`**${a}** *${a}*`, a, a],
    // Brackets belong to a URL if they were opened in it.
    [`(${a}), [${a}]. {${a}}! (${a}),next`, a, a, a, a],
    ['https://en.example.org/wiki/Foo_(bar) end', 'https://en.example.org/wiki/Foo_(bar)'],
    ['(https://example.com/f_(g)_(h)).', 'https://example.com/f_(g)_(h)'],
    ['https://example.com/d?x=[1]', 'https://example.com/d?x=[1]'],
    ['https://example.com/d?x={1}.', 'https://example.com/d?x={1}'],
    [`[words](${a})`, a],
    [`${a}( and ${a}))`, a, a],
    // What belongs to the URL stays.
    ['https://example.com/a,b;c!d*e~f?g=h&i=%20#j', 'https://example.com/a,b;c!d*e~f?g=h&i=%20#j'],
    ['https://müller.example/straße', 'https://müller.example/straße'],
    ['https://пример.example/путь', 'https://пример.example/путь'],
    ['https://例え.example/a', 'https://例え.example/a'],
    ['https://www.例え.example/aを', 'https://www.例え.example/a'],
    // No URL at all.
    ['https:// https://. https://。 http://( example.com'],
  ]
  for (const [text, ...urls] of cases) assert.deepEqual(urlsIn(text), urls, text)
})

test('the positions of URLs in plain text are those of their text', () => {
  const text = '詳細はhttps://example.com/aをご覧、(https://example.com/b_(c)).'
  for (const { start, end, url } of findTextLinks(text)) assert.equal(text.slice(start, end), url)
})

test('character references in addresses are decoded as a browser does', () => {
  const cases: [written: string, url: string][] = [
    ['https://example.com/caf&eacute;/x', 'https://example.com/café/x'],
    ['https://example.com/?code&#x3Dtest', 'https://example.com/?code=test'],
    ['https://example.com/?code&#61test', 'https://example.com/?code=test'],
    ['https://example.com/?q=a&comma;b&equals;c', 'https://example.com/?q=a,b=c'],
    ['https://example.com/&nbsp;4', 'https://example.com/\u00a04'],
    ['https&colon;//example.com/&quest;a&num;b', 'https://example.com/?a#b'],
    ['https://example.com/?a=1&amp;b=2&AMP;c=3&ampd', 'https://example.com/?a=1&b=2&c=3&ampd'],
    ['https://example.com/?x&amp;num;', 'https://example.com/?x&num;'],
    // In attributes these are no references (HTML section 13.2.5.73).
    ['https://example.com/?a&copy=1&reg2', 'https://example.com/?a&copy=1&reg2'],
    ['https://example.com/?a=1&b=2&none;', 'https://example.com/?a=1&b=2&none;'],
    ['https://example.com/&#1114112;', 'https://example.com/\ufffd'],
  ]
  for (const [written, url] of cases) {
    assert.deepEqual(
      findLinks(`<a href="${written}">a</a>`).map((link) => link.url),
      [url],
    )
  }
})

test('links within conditional comments are found, those of other comments are not', () => {
  const buy = 'https://example.com/buy'
  const button = `<!--[if mso]><v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" href="${buy}" style="height:40px"><center>Buy</center></v:roundrect><![endif]-->`
  for (const page of [
    button,
    button.replace('[if mso]', '[if gte mso 9]'),
    button.replaceAll('roundrect', 'rect'),
    `<!--[if mso | IE]><table><tr><td><a href='${buy}'>Buy</a></td></tr></table><![endif]-->`,
    `<v:shape href=${buy} >Buy</v:shape>`,
    `<!--[if !mso]><!--><a href="${buy}">Buy</a><!--<![endif]-->`,
    `<!--[if mso]><style>a{}</style><v:oval title="a>b" HREF="${buy}"/><![endif]-->`,
  ]) {
    const [found, ...others] = findLinks(page)
    assert.equal(found?.url, buy, page)
    assert.equal(page.slice(found?.start, found?.end), buy)
    assert.equal(others.length, 0)
  }
  for (const page of [
    `<!-- <a href="${buy}">Buy</a> --><!--<v:rect href="${buy}">-->`,
    `<!--[if mso]><v:fill href="${buy}" /><w:anchorlock/><v:rectangle href="${buy}"><![endif]-->`,
    `<!--[if mso]><!-- <a href="${buy}">Buy</a> --><![endif]-->`,
    `<!--[if mso]><a href="${buy}">without an end`,
  ]) {
    assert.deepEqual(findLinks(page), [], page)
  }
})

test('images are found by their src', () => {
  const page = `<img src="/a.png"><img alt=x src='b.png'/><img><!-- <img src="c.png"> --><!--[if mso]><v:fill type="frame" src="d.png" /><![endif]--><script src="e.js"></script>`
  assert.deepEqual(
    findImages(page).map(({ url }) => url),
    ['/a.png', 'b.png', 'd.png'],
  )
})

test('texts and pages made to be slow take linear time', () => {
  const texts = [
    'https://',
    "'https://",
    '(https://a',
    'https://a.b(',
    'https://a)',
    'https://あ',
    '(',
  ]
  const pages = ['<!--[if mso]>', '<!--[if mso]><v:rect ', '<v:rect href=', '<img src="', '<!--[if']
  for (const piece of [...texts, ...pages]) {
    const text = piece.repeat(1_000_000 / piece.length)
    const start = cpuMs()
    findTextLinks(text)
    findTextLinks(`https://${text}`)
    findLinks(text)
    findLinks(`${text}-->`)
    findImages(`${text}-->`)
    assert.ok(cpuMs() - start < 10_000, `${piece}: ${cpuMs() - start} ms`)
  }
})
