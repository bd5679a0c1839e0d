@echo off
rem Runs at the start of a session on Windows. Where npm was missing, or an
rem install was cut short, the program is not there: then this says so, once a
rem version.
setlocal
for %%i in ("%~dp0..") do set "root=%%~fi"
if exist "%root%\@PROGRAM@" exit /b 0
set "state=%CLAUDE_PLUGIN_DATA%"
if not defined state set "state=%TEMP%"
if not exist "%state%" mkdir "%state%" 2>nul
if exist "%state%\told-@VERSION@" exit /b 0
>"%state%\told-@VERSION@" echo.
set "shown=%root:\=/%"
where npm >nul 2>nul
if errorlevel 1 (
	echo {"systemMessage":"recollect: not active, because npm, which installs its program, is not on this machine: install Node.js, run 'npm ci' in %shown%, then start a new session"}
) else (
	echo {"systemMessage":"recollect: not active, because its program is missing: run 'npm ci' in %shown%, then start a new session"}
)
exit /b 0
