import { chromium } from 'playwright'
import AxeBuilder from '@axe-core/playwright'
const b = await chromium.launch({executablePath:'/usr/bin/chromium',args:'--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(' ')})
const only = process.argv[2] ?? ''
for (const theme of ['dark','light']) {
  const ctx = await b.newContext({viewport:{width:1240,height:900},reducedMotion:'reduce'})
  const p = await ctx.newPage()
  p.on('console', m=>{ if(['error','warning'].includes(m.type())) console.log(theme,m.type(),m.text().slice(0,300))})
  p.on('pageerror', e=>console.log('pageerror',e.message.slice(0,300)))
  await p.goto(`http://127.0.0.1:5317/gallery.html?theme=${theme}${only&&'&widget='+only}`,{waitUntil:'networkidle',timeout:60000})
  await p.waitForTimeout(1500)
  for (const d of await p.$$('summary')) await d.click()
  await p.waitForTimeout(500)
  const h = await p.evaluate(()=>document.documentElement.scrollHeight); for (let y=0,i=0;y<h;y+=1300,i++) await p.screenshot({path:`/tmp/shots/${theme}${i}.png`,fullPage:true,clip:{x:0,y,width:1240,height:Math.min(1300,h-y)}}); console.log(h)
  const r = await new AxeBuilder({page:p}).analyze()
  for (const v of r.violations) console.log(theme,'AXE',v.impact,v.id,v.nodes.length,v.nodes.slice(0,4).map(n=>n.target.join(' ')+' :: '+n.failureSummary.slice(0,200)).join('\n   '))
  await ctx.close()
}
await b.close()
