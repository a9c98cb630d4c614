import { chromium } from 'playwright'
const b = await chromium.launch({executablePath:'/usr/bin/chromium',args:'--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(' ')})
const p = await (await b.newContext({viewport:{width:390,height:844}})).newPage()
p.on('pageerror', e=>console.log('pageerror',e.message.slice(0,300))); p.on('console',m=>m.type()==='error'&&console.log(m.text().slice(0,200)))
const U='http://127.0.0.1:5317'
for (const q of ['?n=10000','?n=10000&inner','?n=10000&table','?n=5']) {
  await p.goto(U+'/.tmp-list.html'+q,{waitUntil:'networkidle'}); await p.waitForTimeout(300)
  const st=()=>p.evaluate(()=>({rows:document.querySelectorAll('.r').length,first:[...document.querySelectorAll('.r')].find(e=>e.getBoundingClientRect().bottom>0)?.textContent.slice(0,12),ends:window.ends,h:document.documentElement.scrollHeight}))
  console.log(q, await st())
  await p.evaluate(()=>{const s=document.querySelector('#sc'); const e=s.scrollHeight>s.clientHeight+5&&getComputedStyle(s).overflowY==='auto'?s:document.documentElement; e.scrollTop=e.scrollHeight/2}); await p.waitForTimeout(400); console.log('  mid', await st())
  for (let i=0;i<4;i++){ await p.evaluate(()=>{const s=document.querySelector('#sc'); const e=getComputedStyle(s).overflowY==='auto'?s:document.documentElement; e.scrollTop=e.scrollHeight}); await p.waitForTimeout(250)} console.log('  end', await st(), await p.evaluate(()=>[...document.querySelectorAll('.r')].at(-1)?.textContent))
}
// sheet
await p.goto(U+'/gallery.html?widget=sheet',{waitUntil:'networkidle'}); await p.getByRole('button',{name:'Open'}).click(); await p.waitForSelector('[role=dialog]'); await p.waitForTimeout(500)
console.log('sheet', await p.evaluate(()=>({node:document.querySelector('[role=dialog]').dataset.node,name:document.querySelector('[role=dialog]').getAttribute('aria-labelledby'),focus:document.activeElement.outerHTML.slice(0,120)})))
await p.screenshot({path:'/tmp/shots/sheet.png'})
await p.keyboard.press('Escape'); await p.waitForTimeout(600); console.log('after', await p.evaluate(()=>[document.querySelectorAll('[role=dialog]').length, document.activeElement.textContent]))
await p.getByRole('button',{name:'Open'}).click(); await p.waitForSelector('[role=dialog]'); await p.waitForTimeout(400); await p.mouse.click(200,100); await p.waitForTimeout(500); console.log('outside', await p.evaluate(()=>[document.querySelectorAll('[role=dialog]').length, document.activeElement.textContent]))
// carousel
await p.goto(U+'/gallery.html?widget=carousel',{waitUntil:'networkidle'}); await p.waitForTimeout(500)
const tr=()=>p.evaluate(()=>({t:[...document.querySelectorAll('[role=group]')].map(e=>Math.round(e.getBoundingClientRect().x)),on:[...document.querySelectorAll('[aria-hidden] i')].map(e=>!!e.dataset.on)}))
console.log(await tr()); await p.getByRole('button',{name:'Next'}).click(); await p.waitForTimeout(900); console.log(await tr()); await p.keyboard.press('ArrowLeft'); await p.waitForTimeout(900); console.log(await tr())
// clean
await p.goto(U+'/gallery.html?widget=rich-text',{waitUntil:'networkidle'});
const cases = ['<p>a</p><script>steal()</script>','<p onclick="steal()">a</p>','<img src="x" onerror="steal()">a','<a href="javascript:steal()">a</a>','<a href="java\tscript:steal()">a</a>','<a href="data:text/html,steal()">a</a>','<img src="//steal.example/a.png">a','<iframe src="https://steal.example"></iframe>a','<form action="https://steal.example"><input name="steal"></form>a','<style>body{background:url(https://steal.example)}</style>a','<p style="background:url(https://steal.example)">a</p>','<svg><script>steal()</script></svg>a','<p id="steal" class="steal" data-node="steal" aria-label="steal">a</p>','<math><mtext><table><mglyph><style><img src=x onerror=steal()></style></mglyph></table></mtext></math>a','<noscript><p title="</noscript><img src=x onerror=steal()>">a</noscript>a','<a href="https://x.example" target="_self" rel="opener">a</a>','<img src="/p/a.webp" alt="A">a']
console.log((await p.evaluate(async cs=>{const {clean}=await import('/widgets/parts/clean.ts'); return cs.map(c=>{const d=document.createElement('div'); d.append(clean(c)); return d.innerHTML})},cases)).map((o,i)=>(/steal|<(script|iframe|form|input|style|svg)/i.test(o)?'BAD ':'ok  ')+o).join('\n'))
// 200 %
for (const lang of ['en','fr','th']) { await p.goto(U+`/gallery.html?lang=${lang}`,{waitUntil:'networkidle'}); await p.addStyleTag({content:'html{font-size:200%!important}'}); await p.waitForTimeout(600)
console.log(lang, await p.evaluate(()=>{const out=[]; for(const e of document.querySelectorAll('.frame *')){ const s=getComputedStyle(e); if(e.closest('.visually-hidden')||e.scrollWidth<=e.clientWidth+1||e.clientWidth===0) continue; if(s.overflowX==='auto'||s.overflowX==='scroll'||s.display==='inline') continue; if (e.closest('[class*=viewport]')||e.closest('[class*=_line_]')||e.closest('section[tabindex]')) continue; out.push((e.closest('[data-node]')?.dataset.node)+' '+e.tagName+'.'+String(e.className).slice(0,30)+' '+e.scrollWidth+'>'+e.clientWidth) } return [...new Set(out)].slice(0,20)}))
console.log('small targets', await p.evaluate(()=>[...document.querySelectorAll('.frame :is(button,a[href],summary,label,input:not(.visually-hidden))')].filter(e=>{const r=e.getBoundingClientRect(); return r.width&&(r.height<43.5||r.width<43.5)&&!e.closest('[class*=rich]')}).map(e=>e.closest('[data-node]')?.dataset.node+' '+e.tagName+' '+Math.round(e.getBoundingClientRect().width)+'x'+Math.round(e.getBoundingClientRect().height)).slice(0,10))) }
await p.screenshot({path:'/tmp/shots/big.png'})
await b.close()
