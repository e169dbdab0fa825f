// SPDX-License-Identifier: MIT

/// The style sheet of a page: light and dark, wide and narrow, without anything from outside.
enum PageStyle {
    /// CSS; colors have a contrast of 4.5 to 1 or more with what is behind them, in both modes.
    static let css = """
        :root{color-scheme:light dark;--bg:#fcfcfb;--fg:#1c2024;--soft:#59616b;--rule:#d9dde2;--panel:#f2f3f1;
        --c0:#1f5fa8;--c1:#b04a0a;--c2:#0d726b;--c3:#7a3e9d;--c4:#a3264f;--c5:#5a6470}
        @media (prefers-color-scheme:dark){:root{--bg:#15181b;--fg:#e6e8ea;--soft:#a3abb4;--rule:#353b42;--panel:#1e2226;
        --c0:#82b6f0;--c1:#f0a264;--c2:#5fcbc1;--c3:#cba6e8;--c4:#f293b0;--c5:#b1bac4}}
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%;scroll-behavior:smooth}
        @media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
        body{margin:0;background:var(--bg);color:var(--fg);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,
        "Noto Sans","DejaVu Sans",sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
        header,main,footer{max-width:74rem;margin:0 auto;padding:0 clamp(1rem,4vw,2.5rem)}
        header{padding-top:clamp(1.5rem,5vw,3.5rem)}
        footer{padding-top:1rem;padding-bottom:3rem;color:var(--soft);font-size:.875rem}
        h1{font-size:clamp(1.6rem,4.5vw,2.5rem);line-height:1.15;letter-spacing:-.02em;margin:.2em 0 .3em;font-weight:680}
        h2{font-size:1.4rem;line-height:1.25;letter-spacing:-.01em;margin:0 0 .25rem}
        h3{font-size:1rem;margin:2rem 0 .5rem}
        p,ul{margin:.4rem 0 .8rem;max-width:46rem}
        ul{padding-left:1.2rem}
        a{color:var(--c0);text-underline-offset:.2em}
        :focus-visible{outline:3px solid var(--c0);outline-offset:3px;border-radius:2px}
        .skip{position:absolute;left:-100vw}
        .skip:focus{left:1rem;top:1rem;background:var(--bg);padding:.5rem 1rem;z-index:1}
        .unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
        .kicker,.soft,figcaption,dt{color:var(--soft);font-size:.875rem}
        .kicker{margin:0}
        nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;list-style:none;padding:0;max-width:none;font-size:.9375rem}
        section{padding:2.2rem 0 .8rem;border-top:1px solid var(--rule);margin-top:1.6rem}
        main>section:first-child{border-top:0;padding-top:.6rem;margin-top:0}
        .answers{display:grid;gap:1.5rem 2.5rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,17rem),1fr))}
        .answer{border-left:4px solid var(--c,var(--rule));padding-left:1rem}
        .answer p{margin:.1rem 0}
        .big{font-size:clamp(2.6rem,7vw,3.6rem);line-height:1.1;font-weight:700;letter-spacing:-.03em}
        .claim{background:var(--panel);border-radius:.5rem;padding:1rem 1.25rem;margin:1.8rem 0 0}
        .claim p{max-width:none}
        .claim q{font-weight:650}
        .claim .soft{margin-bottom:0}
        .judgement{font-weight:650;white-space:nowrap}
        .charts{display:grid;gap:1rem 1.5rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr))}
        .charts svg,.cost svg{width:100%;max-width:30rem}
        figure{margin:0 0 1rem}
        .cost{display:grid;gap:1rem 2.5rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr))}
        svg{display:block;height:auto;overflow:visible}
        svg text{font-size:12px;fill:var(--soft)}
        svg .strong{fill:var(--fg);font-weight:600}
        svg .name{fill:var(--c);font-weight:600}
        svg path{fill:none}
        .grid{stroke:var(--rule);stroke-width:1}
        .axis,.tick{stroke:var(--soft);stroke-width:1}
        .reference{stroke:var(--soft);stroke-dasharray:3 4}
        .line{stroke:var(--c);stroke-width:2;stroke-linejoin:round}
        svg .mark{fill:var(--c);stroke:var(--bg);stroke-width:1}
        svg .hollow{fill:var(--bg);stroke:var(--c);stroke-width:1.6}
        svg .anchor{fill:var(--soft)}
        .leader{stroke:var(--c);stroke-width:1}
        svg .bar{fill:var(--c)}
        svg .p{opacity:.62}
        svg .b{opacity:.36}
        .s0{--c:var(--c0)}.s1{--c:var(--c1)}.s2{--c:var(--c2)}.s3{--c:var(--c3)}.s4{--c:var(--c4)}.s5{--c:var(--c5)}
        .scroll{overflow-x:auto;margin:.5rem 0 1rem}
        .strips svg{width:100%;min-width:44rem}
        table{border-collapse:collapse;font-size:.9375rem}
        th,td{padding:.3rem 1.4rem .3rem 0;text-align:left;vertical-align:baseline;white-space:nowrap}
        th:last-child,td:last-child{padding-right:0}
        thead th{color:var(--soft);font-weight:500;border-bottom:1px solid var(--soft)}
        tbody th{font-weight:500}
        tbody tr+tr>*{border-top:1px solid var(--rule)}
        .n{text-align:right}
        .shares{width:100%}
        .shares .bars{width:55%;min-width:9rem}
        .shares .name{white-space:normal;min-width:7rem}
        .shares tr.all>*{font-weight:680;border-top:2px solid var(--soft)}
        .track{position:relative;height:1.1rem;background:linear-gradient(var(--rule),var(--rule)) 0 50%/100% 1px no-repeat}
        .track i{position:absolute;top:.15rem;height:.8rem;width:1px;background:var(--rule)}
        .track b{position:absolute;top:.45rem;height:.2rem;background:var(--c);opacity:.55;border-radius:.1rem}
        .track u{position:absolute;top:.22rem;width:.66rem;height:.66rem;margin-left:-.33rem;background:var(--c);
        border-radius:50%}
        .scale{position:relative;height:1.3rem}
        .scale span{position:absolute;transform:translateX(-50%)}
        .pictures{display:grid;gap:.8rem 1rem;grid-template-columns:repeat(3,minmax(0,1fr))}
        .pictures figure{margin:0 0 .7rem}
        .pictures img{display:block;width:100%;height:auto;background:#808080}
        .pictures figcaption b{color:var(--c,var(--fg))}
        details{margin:1rem 0}
        summary{cursor:pointer;font-weight:600}
        pre{margin:.3rem 0;font:.875rem/1.5 ui-monospace,"DejaVu Sans Mono",Menlo,monospace;overflow-wrap:normal}
        dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.3rem 1.5rem;margin:.8rem 0}
        dd{margin:0;min-width:0}
        dd .scroll{margin:0}
        @media (max-width:44rem){.pictures{grid-template-columns:1fr}dl{grid-template-columns:1fr}dd{margin-bottom:.5rem}
        th,td{padding-right:1rem}tbody th{white-space:normal}}
        @media print{nav,.skip{display:none}section{break-inside:avoid-page}}

        """
}
