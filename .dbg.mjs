import { chromium } from 'playwright'
const b = await chromium.launch({executablePath:'/usr/bin/chromium',args:'--no-sandbox --disable-gpu'.split(' ')})
const p = await (await b.newContext({viewport:{width:390,height:844}})).newPage()
p.on('pageerror', e=>console.log('pageerror',e.message.slice(0,300))); p.on('console',m=>console.log(m.text().slice(0,300)))
await p.goto('http://127.0.0.1:5317/.tmp-list.html?n=10000',{waitUntil:'networkidle'}); await p.waitForTimeout(300)
await p.evaluate(()=>scrollTo(0,5000)); await p.waitForTimeout(500)
console.log(await p.evaluate(()=>[scrollY, document.querySelector('ul').style.height, document.querySelectorAll('ul').length, [...document.querySelectorAll('li')].slice(0,3).map(e=>e.outerHTML.slice(0,200)), document.querySelectorAll('li').length]))
await b.close()
