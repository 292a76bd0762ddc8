/** Feeds in the shapes in which blogs publish them, each with one or two posts. Made up, after real ones. */

interface Shape {
  /** What makes feeds like this. */
  by: string
  type?: string
  body: string | Buffer
  /** The posts that are read, newest first. */
  posts: {
    title: string
    url: string
    text?: string
    image?: string
    author?: string
    published?: string
  }[]
}

const xml = '<?xml version="1.0" encoding="UTF-8"?>'
const at = 'https://blog.example.com'
const rss = (items: string, more = '') =>
  `${xml}<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>Tea</title><link>${at}</link>${more}${items}</channel></rss>`
const atom = (entries: string, more = '') =>
  `${xml}<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"${more}><title type="text">Tea</title><link href="${at}/" rel="alternate"/><link href="${at}/atom.xml" rel="self"/>${entries}</feed>`
const green = { title: 'Green tea', url: `${at}/green` }
const day = '2026-11-02T08:00:00.000Z'
const rfc = 'Mon, 02 Nov 2026 08:00:00 +0000'

export const blogs: readonly Shape[] = [
  {
    by: 'WordPress',
    body: rss(
      `<item><title>Green &#038; black tea &#8211; a start</title><link>${at}/green</link><dc:creator><![CDATA[Ana]]></dc:creator><pubDate>${rfc}</pubDate><guid isPermaLink="false">${at}/?p=12</guid><description><![CDATA[<p>Leaves, water, time. [&#8230;]</p> <p>The post <a href="${at}/green">Green</a> appeared first.</p>]]></description><content:encoded><![CDATA[<figure><img src="${at}/a.jpg"></figure><p>Long</p>]]></content:encoded></item>`,
      `<atom:link href="${at}/feed/" rel="self" type="application/rss+xml"/><image><url>${at}/i.png</url><title>Icon</title><link>${at}</link></image>`,
    ),
    posts: [
      {
        title: 'Green & black tea – a start',
        url: `${at}/green`,
        text: 'Leaves, water, time. […] The post Green appeared first.',
        image: `${at}/a.jpg`,
        author: 'Ana',
        published: day,
      },
    ],
  },
  {
    by: 'Ghost',
    body: rss(
      `<item><title><![CDATA[Green tea]]></title><description><![CDATA[A short line]]></description><link>${at}/green</link><guid isPermaLink="false">66f0</guid><category><![CDATA[Tea]]></category><dc:creator><![CDATA[Ana]]></dc:creator><pubDate>Mon, 02 Nov 2026 08:00:00 GMT</pubDate><media:content url="${at}/c.jpg" medium="image"/><content:encoded><![CDATA[<p>Body</p>]]></content:encoded></item>`,
    ),
    posts: [
      { ...green, text: 'A short line', image: `${at}/c.jpg`, author: 'Ana', published: day },
    ],
  },
  {
    by: 'Medium',
    body: rss(
      `<item><title><![CDATA[Green tea]]></title><link>${at}/green?source=rss</link><guid isPermaLink="false">https://medium.example/p/1</guid><dc:creator><![CDATA[Ana]]></dc:creator><pubDate>${rfc}</pubDate><atom:updated>2026-11-03T00:00:00Z</atom:updated><content:encoded><![CDATA[<figure><img alt="" src="https://cdn.example/1.png" /></figure><p>Hello</p>]]></content:encoded></item>`,
    ),
    posts: [
      {
        title: 'Green tea',
        url: `${at}/green?source=rss`,
        text: 'Hello',
        image: 'https://cdn.example/1.png',
      },
    ],
  },
  {
    by: 'Substack',
    body: rss(
      `<item><title><![CDATA[Green tea]]></title><link>${at}/green</link><guid isPermaLink="false">${at}/green</guid><enclosure url="${at}/s.jpeg" length="0" type="image/jpeg"/><description><![CDATA[Sub]]></description></item>`,
    ),
    posts: [{ ...green, text: 'Sub', image: `${at}/s.jpeg` }],
  },
  {
    by: 'Blogger',
    body: atom(
      `<entry><id>tag:blogger.com,1999:blog-1.post-2</id><published>2026-11-02T09:00:00.000+01:00</published><updated>2026-11-05T00:00:00Z</updated><title type="text">Green tea</title><content type="html">&lt;p&gt;Hello &lt;b&gt;there&lt;/b&gt;&lt;/p&gt;</content><link rel="edit" href="${at}/edit"/><link rel="replies" href="${at}/c"/><link rel="alternate" type="text/html" href="${at}/green"/><author><name>Ana</name><email>noreply@blogger.com</email></author></entry>`,
    ),
    posts: [{ ...green, text: 'Hello there', author: 'Ana', published: day }],
  },
  {
    by: 'Jekyll',
    body: atom(
      `<entry><title type="html">Green &amp;amp; black</title><link href="${at}/green" rel="alternate" type="text/html" title="Green"/><published>2026-11-02T08:00:00+00:00</published><updated>2026-11-02T08:00:00+00:00</updated><id>${at}/green</id><content type="html" xml:base="${at}/green"><![CDATA[<p>Words</p>]]></content><summary type="html"><![CDATA[Sum]]></summary></entry>`,
    ),
    posts: [{ title: 'Green & black', url: `${at}/green`, text: 'Sum', published: day }],
  },
  {
    by: 'Hugo',
    body: rss(
      `<item><title>Green tea</title><link>${at}/green</link><pubDate>${rfc}</pubDate><guid>${at}/green</guid><description>&lt;p&gt;Escaped once&lt;/p&gt;</description></item>`,
      '<generator>Hugo</generator><language>en</language>',
    ),
    posts: [{ ...green, text: 'Escaped once', published: day }],
  },
  {
    by: 'Tumblr, without titles',
    body: rss(
      `<item><title/><description>&lt;img src="https://t.example/p.jpg"/&gt;&lt;p&gt;A photo of tea&lt;/p&gt;</description><link>${at}/1</link><guid>${at}/1</guid></item>`,
    ),
    posts: [
      {
        title: 'A photo of tea',
        url: `${at}/1`,
        text: 'A photo of tea',
        image: 'https://t.example/p.jpg',
      },
    ],
  },
  {
    by: 'Squarespace',
    body: rss(
      `<item><title>Green tea</title><dc:creator>Ana</dc:creator><pubDate>${rfc}</pubDate><link>${at}/green</link><guid isPermaLink="false">1:2:3</guid><description><![CDATA[<p>Text</p>]]></description><media:content type="image/jpeg" url="${at}/q.jpg?format=1500w" medium="image"><media:title type="plain">Not the title</media:title></media:content></item>`,
    ),
    posts: [{ ...green, image: `${at}/q.jpg?format=1500w`, text: 'Text' }],
  },
  {
    by: 'Wix',
    body: rss(
      `<item><title><![CDATA[Green tea]]></title><description><![CDATA[Short...]]></description><link>${at}/green</link><guid isPermaLink="false">66a</guid><enclosure url="https://static.example/w.jpg" length="0" type="image/png"/></item>`,
    ),
    posts: [{ ...green, image: 'https://static.example/w.jpg', text: 'Short...' }],
  },
  {
    by: 'YouTube',
    body: atom(
      `<entry><id>yt:video:1</id><title>Green tea</title><link rel="alternate" href="${at}/green"/><author><name>Ana</name></author><published>${day}</published><media:group><media:title>Other</media:title><media:content url="https://v.example/1" type="application/x-shockwave-flash"/><media:thumbnail url="https://i.example/hq.jpg"/><media:description>About it</media:description></media:group></entry>`,
    ),
    posts: [
      {
        ...green,
        text: 'About it',
        image: 'https://i.example/hq.jpg',
        author: 'Ana',
        published: day,
      },
    ],
  },
  {
    by: 'a podcast',
    body: rss(
      `<item><title>Green tea</title><itunes:summary>We talk</itunes:summary><itunes:author>Ana</itunes:author><itunes:image href="${at}/cover.jpg"/><enclosure url="${at}/1.mp3" type="audio/mpeg"/><link>${at}/green</link><guid>ep1</guid></item>`,
      `<itunes:image href="${at}/show.jpg"/>`,
    ),
    posts: [{ ...green, text: 'We talk', image: `${at}/cover.jpg`, author: 'Ana' }],
  },
  {
    by: 'Reddit',
    body: atom(
      `<entry><author><name>/u/ana</name><uri>https://r.example/u/ana</uri></author><content type="html">&lt;!-- SC_OFF --&gt;&lt;div&gt;Body&lt;/div&gt;&lt;!-- SC_ON --&gt;</content><id>t3_1</id><link href="${at}/green"/><updated>2026-11-02T08:00:00+00:00</updated><title>Green tea</title></entry>`,
    ),
    posts: [{ ...green, text: 'Body', author: '/u/ana', published: day }],
  },
  {
    by: 'GitHub releases',
    body: atom(
      `<entry><id>tag:github.com,2008:Repository/1/v1</id><updated>2026-11-02T08:00:00Z</updated><link rel="alternate" type="text/html" href="${at}/green"/><title>v1.0</title><content type="html">&lt;ul&gt;&lt;li&gt;One&lt;/li&gt;&lt;li&gt;Two&lt;/li&gt;&lt;/ul&gt;</content><author><name>ana</name></author></entry>`,
    ),
    posts: [{ title: 'v1.0', url: `${at}/green`, text: 'One Two' }],
  },
  {
    by: 'Mastodon',
    body: rss(
      `<item><guid isPermaLink="true">${at}/@ana/1</guid><link>${at}/@ana/1</link><pubDate>${rfc}</pubDate><description>&lt;p&gt;Tea time&lt;/p&gt;</description><media:content url="https://m.example/1.png" type="image/png" medium="image"><media:description type="plain">Alt text</media:description></media:content></item>`,
    ),
    posts: [
      {
        title: 'Tea time',
        url: `${at}/@ana/1`,
        text: 'Tea time',
        image: 'https://m.example/1.png',
      },
    ],
  },
  {
    by: 'Drupal',
    body: rss(
      `<item><title>Green tea</title><link>${at}/green</link><description>&lt;span class="field"&gt;Green tea&lt;/span&gt; text</description><guid isPermaLink="false">12 at ${at}</guid></item>`,
    ),
    posts: [{ ...green, text: 'Green tea text' }],
  },
  {
    by: 'TYPO3, with relative links',
    body: rss(`<item><title>Green tea</title><link>/green</link><guid>news-1</guid></item>`),
    posts: [green],
  },
  {
    by: 'Shopify',
    body: atom(
      `<entry><id>${at}/green</id><published>${day}</published><link rel="alternate" type="text/html" href="${at}/green"/><title>Green tea</title><author><name>Ana</name></author><summary type="html"><![CDATA[<img src="//cdn.example/x.jpg"><p>Sum</p>]]></summary><content type="html"><![CDATA[<p>All</p>]]></content></entry>`,
    ),
    posts: [{ ...green, text: 'Sum', image: 'https://cdn.example/x.jpg' }],
  },
  {
    by: 'Slashdot (RDF)',
    body: `${xml}<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="${at}"><title>Tea</title><link>${at}</link><items><rdf:Seq><rdf:li rdf:resource="${at}/green"/></rdf:Seq></items></channel><item rdf:about="${at}/green"><title>Green tea</title><link>${at}/green</link><description>Text</description><dc:date>2026-11-02T08:00:00+00:00</dc:date></item></rdf:RDF>`,
    posts: [{ ...green, text: 'Text', published: day }],
  },
  {
    by: 'RSS 0.91 without ids or dates',
    body: `<?xml version="1.0"?><!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.com/publish/formats/rss-0.91.dtd"><rss version="0.91"><channel><title>Tea</title><link>${at}</link><item><title>Green tea</title><link>${at}/green</link></item><item><title>Old tea</title><link>${at}/old</link></item></channel></rss>`,
    posts: [green, { title: 'Old tea', url: `${at}/old` }],
  },
  {
    by: 'Atom 0.3',
    body: `${xml}<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>Tea</title><link rel="alternate" type="text/html" href="${at}"/><entry><title>Green tea</title><link rel="alternate" type="text/html" href="${at}/green"/><id>tag:1</id><issued>${day}</issued><modified>2026-11-02T08:00:00Z</modified></entry></feed>`,
    posts: [{ ...green, published: day }],
  },
  {
    by: 'JSON Feed 1',
    type: 'application/json',
    body: JSON.stringify({
      version: 'https://jsonfeed.org/version/1',
      title: 'Tea',
      home_page_url: at,
      items: [
        {
          id: 1,
          url: `${at}/green`,
          title: 'Green tea',
          content_html: '<p>Text</p>',
          author: { name: 'Ana' },
        },
      ],
    }),
    posts: [{ ...green, text: 'Text', author: 'Ana' }],
  },
  {
    by: 'micro.blog (JSON Feed 1.1, without titles)',
    type: 'application/feed+json; charset=utf-8',
    body: JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Tea',
      items: [
        {
          id: `${at}/1`,
          url: `${at}/1`,
          content_html: '<p>Tea now</p>',
          date_published: '2026-11-02T08:00:00Z',
          image: `${at}/j.png`,
        },
      ],
    }),
    posts: [
      { title: 'Tea now', url: `${at}/1`, text: 'Tea now', image: `${at}/j.png`, published: day },
    ],
  },
  {
    by: 'HubSpot',
    body: rss(
      `<item><title>Green tea</title><link>${at}/green</link><description>&lt;div class="hs-featured-image-wrapper"&gt; &lt;a href="${at}/green"&gt; &lt;img src="https://hs.example/h.png" alt="Green"&gt; &lt;/a&gt; &lt;/div&gt; &lt;p&gt;Why&lt;/p&gt;</description><pubDate>${rfc}</pubDate><author>ana@example.com (Ana)</author><guid>${at}/green</guid></item>`,
    ),
    posts: [{ ...green, text: 'Why', image: 'https://hs.example/h.png', author: 'Ana' }],
  },
  {
    by: 'Discourse',
    body: rss(
      `<item><title>Green tea</title><dc:creator><![CDATA[@ana]]></dc:creator><description><![CDATA[<p>One</p><script>alert(1)</script><style>p{}</style><p>Two</p>]]></description><link>${at}/green</link><pubDate>${rfc}</pubDate><guid isPermaLink="false">topic-1</guid></item>`,
    ),
    posts: [{ ...green, text: 'One Two' }],
  },
  {
    by: 'Movable Type, oldest first',
    body: rss(
      `<item><title>Old tea</title><link>${at}/old</link><pubDate>Sun, 01 Nov 2026 08:00:00 +0000</pubDate></item><item><title>Green tea</title><link>${at}/green</link><pubDate>${rfc}</pubDate></item>`,
    ),
    posts: [green, { title: 'Old tea', url: `${at}/old` }],
  },
  {
    by: 'Atom with XHTML',
    body: atom(
      `<entry><id>1</id><title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Green <em>tea</em></div></title><link href="${at}/green"/><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>One</p><img src="${at}/x.png"/></div></content></entry>`,
    ),
    posts: [{ ...green, text: 'One', image: `${at}/x.png` }],
  },
  {
    by: 'ISO-8859-1',
    body: Buffer.from(
      rss(`<item><title>Grüner Tee</title><link>${at}/green</link></item>`).replace(
        'UTF-8',
        'ISO-8859-1',
      ),
      'latin1',
    ),
    posts: [{ title: 'Grüner Tee', url: `${at}/green` }],
  },
  {
    by: 'UTF-16 with a mark',
    body: Buffer.concat([
      Buffer.from([0xff, 0xfe]),
      Buffer.from(
        rss(`<item><title>Thé vert</title><link>${at}/green</link></item>`).replace(
          'UTF-8',
          'UTF-16',
        ),
        'utf16le',
      ),
    ]),
    posts: [{ title: 'Thé vert', url: `${at}/green` }],
  },
  {
    by: 'a blog that breaks off',
    body: `\n\n  ${rss(`<item><title>Green tea</title><link>${at}/green</link></item><item><title>Cut of`).slice(0, -30)}`,
    posts: [green],
  },
  {
    by: 'a theme with bare ampersands and HTML in titles',
    body: rss(
      `<item><title>Black & &lt;b&gt;green&lt;/b&gt; tea</title><link>${at}/green?a=1&b=2</link><guid>1</guid></item>`,
    ),
    posts: [{ title: 'Black & green tea', url: `${at}/green?a=1&b=2` }],
  },
]
